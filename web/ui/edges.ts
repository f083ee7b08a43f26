/**
 * Marks a box that scrolls sideways with `data-before` and `data-after` where more lies; answers what looks again. It looks
 * first when the browser has laid the page out, before it is shown: asked earlier it would lay out what still changes.
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
