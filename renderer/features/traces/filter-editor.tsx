/**
 * Filter editor by CodeMirror: colours, completion and error position. Loaded on first use. It is in a shadow root, where its styles are
 * adopted style sheets, which the content security policy permits.
 */
import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeCompletion,
  completionStatus,
  insertCompletionText,
  pickedCompletion,
  selectedCompletion,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorState, type Extension, Prec, StateEffect, StateField, Transaction } from '@codemirror/state';
import { Decoration, EditorView, keymap, placeholder } from '@codemirror/view';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { chipsOf } from '../../model/filter/filter-chips.ts';
import { type FilterPlace, placeIn, tokensOf } from '../../model/filter/filter-place.ts';
import { searchedFilter } from '../../model/filter/searched-filter.ts';
import { filterExample, type Suggestion, suggestionsAt, valuesMax } from './filter-sources.ts';
import { filterTheme } from './filter-theme.ts';
import type { TracesView } from './url.ts';

export interface FilterEditorProps {
  ref: Ref<Pick<HTMLElement, 'focus'>>;
  text: string;
  /** Initial selection, taken over from the plain field. */
  selection: readonly [number, number];
  /** Whether the filter had text before the editor loaded. */
  hasDraft: boolean;
  /** Start of what is marked as wrong; null for nothing. */
  wrongFrom: number | null;
  recent: readonly string[];
  /** The list that the filter narrows. */
  view: TracesView;
  onText: (text: string) => void;
  onApply: () => void;
  onLeave: () => void;
}

/** Completions shown at once. */
const shownMax = 11;

/** @returns completions at a position; recent filters for an empty one */
async function complete(queries: QueryClient, { recent, view }: FilterEditorProps, context: CompletionContext) {
  const text = context.state.doc.toString();
  const place = placeIn(text, context.pos);
  if (place.expects === 'nothing') return null;
  const suggestions = await suggestionsAt(queries, { text, at: context.pos, view }, place).catch((): Suggestion[] => []);
  const own = suggestions.map(({ text: label, about, kind }, at) => ({
    label,
    type: kind,
    ...(about ? { detail: about } : {}),
    // Keeps the gateway's order: most frequent first.
    sortText: String(at).padStart(4, '0'),
    apply: insertCompletion(place, kind === 'value' || kind === 'condition' ? label : `${label} `),
  }));
  const before = text.trim() === '' ? recent.map((label) => ({ label, type: 'recent', detail: 'recent', boost: -99 })) : [];
  const isQuoted = place.expects === 'value' && place.isQuoted;
  const validFor = validWhileTyping(place, suggestions.length);
  return {
    from: isQuoted ? place.from - 1 : place.from,
    options: [...own, ...before],
    filter: !isQuoted,
    ...(validFor ? { validFor } : {}),
  };
}

/** Inserts a completion: within a word it replaces the whole word. */
const insertCompletion =
  (place: FilterPlace, text: string): Exclude<Completion['apply'], string | undefined> =>
  (view, option, from, to) => {
    const isWord = place.expects === 'field' || (place.expects === 'value' && !place.isQuoted);
    const rest = isWord ? (/^[^\s()"',=<>!]*/.exec(view.state.sliceDoc(to))?.[0].length ?? 0) : 0;
    view.dispatch({ ...insertCompletionText(view.state, text, from, to + rest), annotations: pickedCompletion.of(option) });
  };

/** For which typed text the completions stay valid without another request. */
function validWhileTyping(place: FilterPlace, offered: number): CompletionResult['validFor'] | null {
  if (place.expects === 'field') return place.typed === '' ? null : /^(?!metadata\.|score__)[\w-]*$/;
  // Some operators are several words; the blank after a whole one asks for values.
  if (place.expects === 'operator') return (_typed, _from, to, { doc }) => placeIn(doc.toString(), to).expects === 'operator';
  if (place.expects === 'value' && !place.isQuoted && place.typed === '' && offered < valuesMax) return /^[^\s()"',]*$/;
  return null;
}

const marks = {
  field: Decoration.mark({ class: 'field' }),
  operator: Decoration.mark({ class: 'operator' }),
  value: Decoration.mark({ class: 'value' }),
  word: Decoration.mark({ class: 'word' }),
  wrong: Decoration.mark({ class: 'wrong' }),
  chip: Decoration.mark({ class: 'chip' }),
  errorChip: Decoration.mark({ class: 'chip error' }),
};

const setWrongFrom = StateEffect.define<number | null>();

function decorations(text: string, wrongFrom: number | null) {
  const wrongAt = wrongFrom !== null && wrongFrom < text.length ? wrongFrom : text.length;
  const isRight = ({ to }: { to: number }) => to <= wrongAt;
  const chips = chipsOf(text).filter(isRight);
  return Decoration.set(
    [
      ...chips.map(({ from, to, isAboutErrors }) => (isAboutErrors ? marks.errorChip : marks.chip).range(from, to)),
      ...tokensOf(text)
        .filter(isRight)
        .map(({ from, to, is }) => marks[is].range(from, to)),
      ...(wrongAt < text.length ? [marks.wrong.range(wrongAt, text.length)] : []),
    ],
    true,
  );
}

const colours = StateField.define({
  create: ({ doc }) => decorations(doc.toString(), null),
  update(drawn, { state, docChanged, effects }) {
    const change = effects.find((effect) => effect.is(setWrongFrom));
    return docChanged || change ? decorations(state.doc.toString(), change?.value ?? null) : drawn;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Keeps the filter on one line, also when text is pasted. */
const oneLine = EditorState.transactionFilter.of((transaction) =>
  transaction.newDoc.lines > 1
    ? [
        transaction,
        {
          changes: { from: 0, to: transaction.newDoc.length, insert: transaction.newDoc.toString().replaceAll('\n', ' ') },
          sequential: true,
        },
      ]
    : transaction,
);

/** Selected completion, if it would change the text. */
function completionToApply(view: EditorView) {
  const place = placeIn(view.state.doc.toString(), view.state.selection.main.head);
  const chosen = selectedCompletion(view.state);
  return chosen && !('typed' in place && place.typed === chosen.label) ? chosen : null;
}

/** Whether a completion may make the filter a valid one. */
function isIncomplete(view: EditorView): boolean {
  const text = view.state.doc.toString();
  const { expects } = placeIn(text, view.state.selection.main.head);
  return (expects === 'operator' || expects === 'value') && searchedFilter(text).problem !== null;
}

/** Whether the user moved to the selected completion since the last change of the text. */
function chosenByArrows(): { isChosen: () => boolean; extension: Extension } {
  let isChosen = false;
  const extension = [
    EditorView.domEventObservers({
      keydown: ({ key }) => {
        if (/^(Arrow|Page)(Up|Down)$/.test(key)) isChosen = true;
      },
    }),
    EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged) isChosen = false;
    }),
  ];
  return { isChosen: () => isChosen, extension };
}

/** Tab accepts a completion while the user types or selects one; otherwise it moves the focus. */
function tabKey(hasDraft: boolean): Extension {
  let isIntended = hasDraft;
  return [
    Prec.highest(keymap.of([{ key: 'Tab', run: (view) => isIntended && completionToApply(view) !== null && acceptCompletion(view) }])),
    EditorView.domEventObservers({
      keydown: ({ key }) => {
        if (/^(Arrow|Page)(Up|Down)$/.test(key)) isIntended = true;
      },
      blur: () => {
        isIntended = false;
      },
    }),
    EditorView.updateListener.of(({ transactions }) => {
      if (transactions.some((transaction) => transaction.docChanged && transaction.annotation(Transaction.userEvent) !== undefined))
        isIntended = true;
    }),
  ];
}

function extensions(queries: QueryClient, latest: { current: FilterEditorProps }): Extension {
  const leave = (view: EditorView) => {
    if (completionStatus(view.state)) return false;
    latest.current.onLeave();
    return true;
  };
  const { isChosen, extension: watchArrows } = chosenByArrows();
  /** Searches: any words are a filter. Accepts a completion that was chosen, or that ends a condition. */
  const enter = (view: EditorView) => {
    if (completionToApply(view) && (isChosen() || isIncomplete(view))) return acceptCompletion(view);
    // While completions are loading a filter that ends within a condition is not submitted.
    if (completionStatus(view.state) === 'pending' && isIncomplete(view)) return true;
    closeCompletion(view);
    latest.current.onApply();
    return true;
  };
  return [
    history(),
    Prec.highest(
      keymap.of([
        { key: 'Enter', run: enter },
        { key: 'Escape', run: leave },
      ]),
    ),
    watchArrows,
    tabKey(latest.current.hasDraft),
    oneLine,
    colours,
    filterTheme,
    placeholder(filterExample),
    EditorView.contentAttributes.of({ 'aria-label': 'Filter', spellcheck: 'false' }),
    autocompletion({
      override: [(context) => complete(queries, latest.current, context)],
      icons: false,
      // A field is usually followed by an operator, an operator by a value.
      activateOnCompletion: ({ type }) => type === 'field' || type === 'operator' || type === 'word',
      closeOnBlur: true,
      interactionDelay: 0,
      // The list does not scroll: it shows other options as the selection moves.
      maxRenderedOptions: shownMax,
    }),
    keymap.of([...defaultKeymap, ...historyKeymap]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) latest.current.onText(update.state.doc.toString());
    }),
  ];
}

/** Typed letters must not trigger the page's shortcuts; combinations with Ctrl or Cmd still do. */
const stopLetters = (event: KeyboardEvent) => {
  if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
};

export function FilterEditor(props: FilterEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  const queries = useQueryClient();
  useImperativeHandle(props.ref, () => ({ focus: () => view.current?.focus() }), []);
  useLayoutEffect(() => {
    latest.current = props;
  });

  // In the same frame in which the plain field disappears: a letter typed in between would trigger a shortcut.
  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const { text, selection } = latest.current;
    const editor = new EditorView({
      root,
      parent: root,
      doc: text,
      selection: { anchor: Math.min(selection[0], text.length), head: Math.min(selection[1], text.length) },
      extensions: extensions(queries, latest),
    });
    view.current = editor;
    element.addEventListener('keydown', stopLetters);
    editor.focus();
    // After a blank any word may follow; what was typed before the editor had loaded is completed like what is typed in it.
    if (latest.current.hasDraft || !/\s$/.test(editor.state.doc.toString())) startCompletion(editor);
    return () => {
      element.removeEventListener('keydown', stopLetters);
      editor.destroy();
    };
  }, [queries]);

  // The filter changed elsewhere (a facet, a saved view, the back button). It is applied at once: later the user may have typed more,
  // which must not be lost.
  useLayoutEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === props.text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.text } });
  }, [props.text]);
  useLayoutEffect(() => {
    view.current?.dispatch({ effects: setWrongFrom.of(props.wrongFrom) });
  }, [props.wrongFrom]);

  return <div ref={host} className="min-w-0 flex-1" />;
}
