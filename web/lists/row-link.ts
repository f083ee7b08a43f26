import type { MouseEvent } from 'react'

/** Elements of a row with a mouse behavior of their own. */
const OWN = 'a, button, input, label, select, textarea, dialog, [popover]'

/**
 * Follows the link in a row's first cell on a click anywhere in the row, in a new tab if requested. Text can still be
 * selected, and controls in the row keep their own behavior.
 */
function follow(event: MouseEvent<HTMLElement>) {
  const { currentTarget: row, target, nativeEvent } = event
  const link = row.querySelector<HTMLElement>('[data-first] a') ?? row.querySelector<HTMLElement>('[data-first] button')
  if (!link || nativeEvent.button === 2 || (target as Element).closest(OWN) || isSelecting(row)) return
  // The browser handles a link's modifier keys itself; it ignores a synthetic middle button, so Ctrl or Cmd is sent.
  const middle = nativeEvent.button === 1
  const keys = { ctrlKey: event.ctrlKey || middle, metaKey: event.metaKey || middle, shiftKey: event.shiftKey }
  link.dispatchEvent(new globalThis.MouseEvent('click', { bubbles: true, cancelable: true, ...keys }))
}

function isSelecting(row: HTMLElement) {
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true)
}

/** Prevents the middle button from starting to scroll. */
function preventScroll(event: MouseEvent<HTMLElement>) {
  if (event.button === 1 && !(event.target as Element).closest(OWN)) event.preventDefault()
}

export const rowLink = { onClick: follow, onAuxClick: follow, onMouseDown: preventScroll }
