import { type ReactNode, useLayoutEffect, useRef } from 'react'
import styles from './TableFrame.module.css'

/**
 * The container of a table. Its heads stay below the header while the page scrolls. A table wider than its container
 * scrolls inside; then the first column and the row's menu stay, and an edge shows on which side there is more.
 */
export function TableFrame({ children }: { children: ReactNode }) {
  const room = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const box = room.current
    const table = box?.querySelector('table')
    if (!box || !table) return
    function measure() {
      if (!box || !table) return
      box.toggleAttribute('data-wide', table.getBoundingClientRect().width > box.clientWidth + 0.5)
      box.style.setProperty('--room', `${box.getBoundingClientRect().height}px`)
      box.style.setProperty('--head', `${table.tHead?.getBoundingClientRect().height ?? 0}px`)
      box.style.setProperty('--tick', `${table.tHead?.querySelector<HTMLElement>('[data-tick]')?.offsetWidth ?? 0}px`)
      edges.look()
    }
    const edges = watchEdges(box)
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    observer.observe(table)
    return () => {
      observer.disconnect()
      edges.end()
    }
  }, [])

  return (
    <div ref={room} className={styles.room}>
      {children}
    </div>
  )
}

/**
 * Marks a box that scrolls sideways with `data-before` and `data-after` if there is more on that side; returns
 * functions to check again and to end. The first check runs after the browser's layout, before it paints: an earlier
 * one would force a layout that still changes.
 */
function watchEdges(box: HTMLElement) {
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
