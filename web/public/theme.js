// Sets the chosen theme before the first paint. A file of its own, because the page allows no inline script.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('tributary.theme')
  } catch {
    // Storage refused: the system's theme holds.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
