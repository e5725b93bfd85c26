/**
 * What a web page can try against a gateway on the user's machine. Each function runs in the page, so it is self-contained. An attempt
 * returns what the page learned: text that it could read, or a word for the outcome that it could observe.
 */

export interface Targets {
  /** The URL of the gateway as the page uses it. */
  url: string;
  /** Paths of JSON responses; the first two have data. */
  json: string[];
  live: string;
  picture: string;
  viewer: string;
}

/** Tries every way to read. The results for an unsuccessful attempt are 'nothing', 'refused' and 'opaque'. */
export async function tryToRead({ url, json, live, picture, viewer }: Targets): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const attempt = async (name: string, action: () => Promise<string>) => {
    found[name] = await action().catch(() => 'refused');
  };
  const describe = async (response: Response) => (response.type === 'opaque' ? 'opaque' : `${response.status} ${await response.text()}`);
  const element = <K extends keyof HTMLElementTagNameMap>(tag: K, set: (created: HTMLElementTagNameMap[K]) => void) =>
    new Promise<HTMLElementTagNameMap[K] | null>((resolve) => {
      const created = document.createElement(tag);
      created.onload = () => resolve(created);
      created.onerror = () => resolve(null);
      set(created);
      document.documentElement.append(created);
    });
  for (const path of json) {
    await attempt(`fetch ${path}`, async () => describe(await fetch(url + path)));
    await attempt(`fetch with credentials ${path}`, async () => describe(await fetch(url + path, { credentials: 'include' })));
    await attempt(`fetch without cors ${path}`, async () => describe(await fetch(url + path, { mode: 'no-cors' })));
    await attempt(`fetch with a header ${path}`, async () =>
      describe(await fetch(url + path, { headers: { 'X-Service-App-Id': 'default' } })),
    );
    await attempt(`fetch without referrer ${path}`, async () => describe(await fetch(url + path, { referrerPolicy: 'no-referrer' })));
    await attempt(`script ${path}`, async () => ((await element('script', (created) => (created.src = url + path))) ? 'ran' : 'refused'));
    await attempt(`module ${path}`, async () => JSON.stringify(await import(url + path)));
    await attempt(`style ${path}`, async () => {
      const link = await element('link', (created) => Object.assign(created, { rel: 'stylesheet', href: url + path }));
      return link?.sheet ? String(link.sheet.cssRules.length) : 'refused';
    });
    await attempt(`image ${path}`, async () => ((await element('img', (created) => (created.src = url + path))) ? 'shown' : 'refused'));
  }
  await attempt('XMLHttpRequest', () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const xhr = new XMLHttpRequest();
    xhr.onload = () => resolve(xhr.responseText);
    xhr.onerror = reject;
    xhr.open('GET', url + json[0]);
    xhr.send();
    return promise;
  });
  await attempt('picture', async () => {
    const image = await element('img', (created) => (created.src = url + picture));
    return image ? `${image.naturalWidth} wide` : 'refused';
  });
  await attempt('worker', async () => {
    const source = URL.createObjectURL(new Blob([`importScripts(${JSON.stringify(url + json[0])}); postMessage('ran')`]));
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const worker = new Worker(source);
    worker.onmessage = ({ data }) => resolve(String(data));
    worker.onerror = reject;
    return promise;
  });
  await attempt('live events', () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const source = new EventSource(url + live);
    source.onopen = () => resolve('open');
    source.onerror = () => resolve('refused');
    return promise.finally(() => source.close());
  });
  for (const path of ['/v1/connect', live]) {
    await attempt(`socket ${path}`, () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const socket = new WebSocket(url.replace('http', 'ws') + path);
      socket.onopen = () => resolve('open');
      socket.onerror = () => resolve('refused');
      return promise;
    });
  }
  for (const path of [viewer, json[0] ?? '']) {
    await attempt(`frame ${path}`, async () => {
      const frame = await element('iframe', (created) => (created.src = url + path));
      return frame?.contentDocument?.documentElement.textContent || 'nothing';
    });
    await attempt(`object ${path}`, async () => {
      const object = await element('object', (created) => (created.data = url + path));
      return object?.contentDocument?.documentElement.textContent || 'nothing';
    });
  }
  return found;
}

export interface Write {
  method: string;
  url: string;
  body: string;
}

/** Tries every way to send. @returns what the page could read of the responses; forms and beacons have none */
export async function tryToWrite(writes: Write[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const describe = async (response: Response) => (response.type === 'opaque' ? 'opaque' : `${response.status} ${await response.text()}`);
  const send = async (name: string, url: string, init: RequestInit) => {
    found[`${name} ${init.method} ${new URL(url).pathname}`] = await fetch(url, init).then(describe, () => 'refused');
  };
  /** Submits a form whose body is JSON: the name and the value of its only field, with the `=` between them inside a string. */
  const submit = (url: string, enctype: string, body: string) =>
    new Promise<void>((resolve) => {
      const frame = document.createElement('iframe');
      frame.name = `target-${document.querySelectorAll('iframe').length}`;
      document.documentElement.append(frame);
      const form = Object.assign(document.createElement('form'), { method: 'POST', action: url, target: frame.name, enctype });
      const field = document.createElement('input');
      field.name = `${body.slice(0, -1)},"x":"`;
      field.value = '"}';
      form.append(field);
      document.documentElement.append(form);
      frame.onload = () => resolve();
      form.submit();
    });
  for (const { method, url, body } of writes) {
    const json = { 'Content-Type': 'application/json' };
    await send('json', url, { method, body, headers: json });
    await send('text', url, { method, body, headers: { 'Content-Type': 'text/plain' } });
    if (method !== 'POST') continue;
    await send('json without cors', url, { method, body, headers: json, mode: 'no-cors' });
    await send('text without cors', url, { method, body, mode: 'no-cors' });
    await send('bytes without cors', url, { method, body: new Blob([body]), mode: 'no-cors' });
    await send('kept alive', url, { method, body, mode: 'no-cors', keepalive: true });
    for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) await submit(url, enctype, body);
    navigator.sendBeacon(url, body);
    navigator.sendBeacon(url, new Blob([body], { type: 'text/plain' }));
    navigator.sendBeacon(url, new Blob([body], { type: 'application/json' }));
  }
  return found;
}
