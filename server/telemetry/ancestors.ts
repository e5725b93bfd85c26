/** Values that spans have from the spans above them. */

interface Child {
  id: string;
  parentId: string | null;
}

/**
 * Computes each value once, however deep the spans are nested. A cycle of parents is cut at one of its spans.
 * @param spans by id
 * @param ofTop the value of a span without a parent among them
 * @param below the value of the spans directly below a parent, which has the value `ofParent`
 */
export function inherited<S extends Child, V>(
  spans: ReadonlyMap<string, S>,
  ofTop: (span: S) => V,
  below: (parent: S, ofParent: V) => V,
): (span: S) => V {
  const known = new Map<string, V>();
  return (span) => {
    const path = new Map<string, S>();
    let top = span;
    for (let parent = parentOf(top, spans); !known.has(top.id) && !path.has(top.id) && parent; parent = parentOf(top, spans)) {
      path.set(top.id, top);
      top = parent;
    }
    if (!known.has(top.id)) known.set(top.id, ofTop(top));
    let parent = top;
    for (const child of [...path.values()].reverse()) {
      if (!known.has(child.id)) known.set(child.id, below(parent, known.get(parent.id) as V));
      parent = child;
    }
    return known.get(span.id) as V;
  };
}

const parentOf = <S extends Child>({ parentId }: S, spans: ReadonlyMap<string, S>): S | undefined =>
  parentId === null ? undefined : spans.get(parentId);
