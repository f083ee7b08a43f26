/** Key of a screen's path in the fragment of a portal's address. */
const SCREEN = 'screen'

/** The address of a screen: the portal's own, so that a link opened in another tab never leaves it. */
export const portalAddress = (path: string) =>
  `${location.pathname}${location.search}#${new URLSearchParams({ [SCREEN]: path })}`

/** Returns the path of the screen named in the address; undefined without one. */
export function screenInAddress(): string | undefined {
  const path = new URLSearchParams(location.hash.slice(1)).get(SCREEN)
  return path?.startsWith('/') ? path : undefined
}

/**
 * Handles links that are to open in another tab. A portal opened by a link gives that tab a copy of its session; one in
 * a frame has none to give, so it opens them in place, as all portals do with buttons.
 */
export function watchNewTabs() {
  addEventListener('click', openElsewhere, true)
  addEventListener('auxclick', openElsewhere, true)
}

function openElsewhere(event: MouseEvent) {
  const { button, ctrlKey, metaKey, shiftKey, target } = event
  if (button > 1 || !(button === 1 || ctrlKey || metaKey || shiftKey) || !(target instanceof Element)) return
  const clicked = target.closest<HTMLElement>('a[href], button')
  const isLink = clicked instanceof HTMLAnchorElement
  if (!clicked || (isLink && !clicked.hash.startsWith(`#${SCREEN}=`))) return
  event.preventDefault()
  event.stopPropagation()
  // a tab that is opened by this document copies its session storage
  if (isLink && window.parent === window) window.open(clicked.href)
  else clicked.click()
}
