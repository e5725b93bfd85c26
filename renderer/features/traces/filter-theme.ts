/** Editor theme made of design tokens, whose CSS properties are inherited into the shadow root. */
import { EditorView } from '@codemirror/view';

export const filterTheme = EditorView.theme({
  '&': { color: 'var(--color-fg)', backgroundColor: 'transparent', fontSize: 'var(--text-row)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontVariantLigatures: 'none',
    lineHeight: 'calc(var(--spacing-control) - var(--spacing-edge))',
    overflowX: 'auto',
    scrollbarWidth: 'none',
  },
  '.cm-content': { padding: '0', caretColor: 'var(--color-fg)' },
  '.cm-line': { padding: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--color-fg)' },
  '.cm-placeholder': { color: 'var(--color-fg-3)', fontFamily: 'var(--font-sans)' },
  '.field': { color: 'var(--color-fg)' },
  '.operator, .word': { color: 'var(--color-fg-3)' },
  '.value': { color: 'var(--color-accent)' },
  '.wrong': {
    color: 'var(--color-err)',
    textDecoration: 'underline wavy var(--color-err)',
    textUnderlineOffset: 'calc(var(--spacing) * 0.75)',
  },
  '.cm-tooltip': {
    border: 'var(--spacing-hair) solid var(--color-line-2)',
    borderRadius: 'var(--radius-control)',
    backgroundColor: 'var(--color-panel)',
    boxShadow: 'var(--shadow-layer)',
    overflow: 'hidden',
    zIndex: '40',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    fontSize: 'var(--text-row)',
    maxHeight: 'none',
    overflow: 'hidden',
    minWidth: 'var(--spacing-step)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    alignItems: 'center',
    height: 'var(--spacing-row)',
    padding: '0 calc(var(--spacing) * 2)',
    color: 'var(--color-fg-2)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--color-select)', color: 'var(--color-fg)' },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--color-accent)' },
  '.cm-completionDetail': {
    marginLeft: 'auto',
    paddingLeft: 'var(--spacing-indent)',
    fontStyle: 'normal',
    fontFamily: 'var(--font-sans)',
    fontSize: 'var(--text-label)',
    color: 'var(--color-fg-3)',
  },
});
