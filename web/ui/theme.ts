export type Theme = 'system' | 'light' | 'dark'

/** Applies and stores the theme: start.js reads it before the first paint of the next document. */
export function showTheme(theme: Theme) {
  const root = document.documentElement
  if (theme === 'system') root.removeAttribute('data-theme')
  else root.dataset.theme = theme
  try {
    localStorage.setItem('tributary.theme', theme)
  } catch {
    // Storage refused: it applies to this document only.
  }
}
