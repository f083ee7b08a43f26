export type Theme = 'system' | 'light' | 'dark'

/** Shows this theme from now on, and from the first paint of the next document: start.js reads what is kept here. */
export function showTheme(theme: Theme) {
  const root = document.documentElement
  if (theme === 'system') root.removeAttribute('data-theme')
  else root.dataset.theme = theme
  try {
    localStorage.setItem('tributary.theme', theme)
  } catch {
    // Storage refused: it lasts as long as the document.
  }
}
