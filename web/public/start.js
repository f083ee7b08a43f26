// What the page needs before the application's own code: the chosen theme, its first questions, and a word where that
// code does not come.
// A file of its own, because the page allows no inline script.
;(() => {
  const KEY = 'tributary.theme'
  const page = document.documentElement

  function showTheme(theme) {
    if (theme === 'light' || theme === 'dark') page.dataset.theme = theme
    else page.removeAttribute('data-theme')
  }

  // Follows another tab in which the theme is changed.
  addEventListener('storage', ({ key, newValue }) => key === KEY && showTheme(newValue))
  try {
    showTheme(localStorage.getItem(KEY))
  } catch {
    // Storage refused: the system's theme holds.
  }

  // Asks for what this page asked for when it was opened last, beside its code; early.ts hands the answers on.
  try {
    const read = (key) => JSON.parse(localStorage.getItem(key)) ?? {}
    const { accessToken: token } = read('tributary.session')
    const last = read('tributary.early')[location.pathname]
    if (token && last?.day === new Date().toDateString()) {
      const ask = (address) => {
        const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
        const answer = fetch(address, { headers, cache: 'no-store' })
        // who takes it is told; where nobody does, nothing is lost
        answer.catch(() => undefined)
        return [address, answer]
      }
      globalThis.tributaryEarly = { token, answers: new Map(last.asked.map(ask)) }
    }
  } catch {
    // Nothing is kept, or nothing that can be read: the application asks by itself.
  }

  /** Its style sheet may be what does not come. */
  const looks = `
    :root { color-scheme: light dark }
    :root[data-theme=light] { color-scheme: light }
    :root[data-theme=dark] { color-scheme: dark }
    #lost { display: grid; justify-items: center; gap: 16px; padding: 96px 16px; font: 14px/1.45 system-ui, sans-serif;
      color: light-dark(#17202b, #e8edf3) }
    #lost h1 { margin: 0; font: inherit; font-weight: 600 }
    #lost button { height: 44px; padding: 0 16px; border: 1px solid light-dark(#7a8593, #748190); border-radius: 6px;
      background: light-dark(#fff, #171e27); color: inherit; font: inherit; font-weight: 600; cursor: pointer }
    #lost button:focus-visible { outline: 2px solid light-dark(#2f43bf, #a3b4ff); outline-offset: 1px }
    html:has(#lost) { background: light-dark(#f6f7f9, #0f141b) }
  `

  /** Says on a page that is still empty that the application did not come. It stays until it is tried again. */
  function sayLost() {
    const root = document.getElementById('root')
    if (!root || root.hasChildNodes()) return
    const make = (tag, attributes, ...children) => {
      const element = Object.assign(document.createElement(tag), attributes)
      element.append(...children)
      return element
    }
    // A style sheet on its way would keep the page white.
    for (const link of document.querySelectorAll('link[rel=stylesheet]')) if (!link.sheet) link.remove()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(looks)
    document.adoptedStyleSheets.push(sheet)
    const again = make('button', { type: 'button', onclick: () => location.reload() }, 'Try again')
    const alert = make('div', { id: 'lost', role: 'alert' }, make('h1', {}, 'Failed to load'), again)
    root.append(make('main', {}, alert))
    document.title = 'Failed to load · Tributary'
    again.focus()
  }

  // Code that is refused or lost is an error of its element; a part of it that is asked for later, a rejected promise.
  const lost = (event) => (event.target === window || event.target instanceof HTMLScriptElement) && sayLost()
  addEventListener('error', lost, true)
  addEventListener('unhandledrejection', lost)
  setTimeout(sayLost, 120_000)
})()
