import type { MouseEvent } from 'react'

/** What in a row answers the mouse by itself. */
const OWN = 'a, button, input, label, select, textarea, dialog, [popover]'

/**
 * For a row whose first cell holds a link: the mouse follows it from anywhere in the row, into another tab where it asks for
 * one. Text can still be selected, and what is in the row keeps its own meaning.
 */
function follow(event: MouseEvent<HTMLElement>) {
  const { currentTarget: row, target, nativeEvent } = event
  const link = row.querySelector<HTMLElement>('[data-first] a') ?? row.querySelector<HTMLElement>('[data-first] button')
  if (!link || nativeEvent.button === 2 || (target as Element).closest(OWN) || isSelecting(row)) return
  // The browser's own handling of a link knows what these keys mean; of a middle button it believes only the hand itself.
  const middle = nativeEvent.button === 1
  const keys = { ctrlKey: event.ctrlKey || middle, metaKey: event.metaKey || middle, shiftKey: event.shiftKey }
  link.dispatchEvent(new globalThis.MouseEvent('click', { bubbles: true, cancelable: true, ...keys }))
}

function isSelecting(row: HTMLElement) {
  const selection = getSelection()
  return selection !== null && !selection.isCollapsed && selection.containsNode(row, true)
}

/** The middle button would begin to scroll. */
function keepStill(event: MouseEvent<HTMLElement>) {
  if (event.button === 1 && !(event.target as Element).closest(OWN)) event.preventDefault()
}

export const rowLink = { onClick: follow, onAuxClick: follow, onMouseDown: keepStill }
