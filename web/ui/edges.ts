/**
 * Marks a box that scrolls sideways with `data-before` and `data-after` if there is more on that side; returns
 * functions to check again and to end. The first check runs after the browser's layout, before it paints: an earlier
 * one would force a layout that still changes.
 */
export function watchEdges(box: HTMLElement) {
  function look() {
    const rest = box.scrollWidth - box.clientWidth - box.scrollLeft
    box.toggleAttribute('data-before', box.scrollLeft > 0 && box.scrollWidth > box.clientWidth)
    box.toggleAttribute('data-after', rest > 1)
  }
  const observer = new ResizeObserver(look)
  observer.observe(box)
  for (const child of box.children) observer.observe(child)
  box.addEventListener('scroll', look, { passive: true })
  function end() {
    observer.disconnect()
    box.removeEventListener('scroll', look)
  }
  return { look, end }
}
