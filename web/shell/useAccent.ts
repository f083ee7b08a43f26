import { useEffect } from 'react'

/** Shows the screens in the account's color while they are open; null is ours. */
export function useAccent(accent: string | null) {
  useEffect(() => {
    if (accent === null) return
    let isOver = false
    const { style } = document.documentElement
    const set: string[] = []
    import('#contract/accent.ts').then(
      ({ accentColors }) => {
        if (isOver) return
        const { link, primary, hover, onPrimary } = accentColors(accent)
        for (const [name, value] of Object.entries({
          '--link': `light-dark(${link.light}, ${link.dark})`,
          '--primary': primary,
          '--primary-hover': hover,
          '--on-primary': onPrimary,
          '--mark': 'var(--link)',
          '--on-mark': 'var(--surface)',
        })) {
          style.setProperty(name, value)
          set.push(name)
        }
      },
      // the screens stay in our color
      () => undefined,
    )
    return () => {
      isOver = true
      for (const name of set) style.removeProperty(name)
    }
  }, [accent])
}
