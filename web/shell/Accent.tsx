import { useLayoutEffect } from 'react'
import { accentColors } from '#contract/accent.ts'

/** Shows all screens in the account's color while it is rendered. */
export function Accent({ color }: { color: string }) {
  useLayoutEffect(() => {
    const { style } = document.documentElement
    const { link, primary, hover, onPrimary } = accentColors(color)
    const colors = {
      '--link': `light-dark(${link.light}, ${link.dark})`,
      '--primary': primary,
      '--primary-hover': hover,
      '--on-primary': onPrimary,
      '--mark': 'var(--link)',
      '--on-mark': 'var(--surface)',
    }
    for (const [name, value] of Object.entries(colors)) style.setProperty(name, value)
    return () => {
      for (const name of Object.keys(colors)) style.removeProperty(name)
    }
  }, [color])
  return null
}
