// Runs before the application's own code: sets the theme, sends the first requests, and reports if that code fails
// to load.
// A separate file, because the page allows no inline script.
;(() => {
  const KEY = 'tributary.theme'
  const page = document.documentElement

  function showTheme(theme) {
    if (theme === 'light' || theme === 'dark') page.dataset.theme = theme
    else page.removeAttribute('data-theme')
  }

  // A portal reads no session of a user of this origin; its address may fix the theme.
  const isPortal = location.pathname.startsWith('/portal/')
  const fixed = isPortal && new URLSearchParams(location.search).get('theme')
  try {
    showTheme(fixed || localStorage.getItem(KEY))
  } catch {
    // Storage refused: the system's theme applies.
  }

  // Follows a theme change in another tab.
  addEventListener('storage', ({ key, newValue }) => key === KEY && !fixed && showTheme(newValue))

  // Repeats the requests of the last visit while the code loads; early-requests.ts passes the answers on.
  try {
    const read = (key) => JSON.parse(localStorage.getItem(key)) ?? {}
    const { accessToken: token } = isPortal ? {} : read('tributary.session')
    const last = read('tributary.early')[location.pathname]
    if (token && last?.day === new Date().toDateString()) {
      const ask = (address) => {
        const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
        const answer = fetch(address, { headers, cache: 'no-store' })
        // the caller that takes it handles the error; if none does, nothing is lost
        answer.catch(() => undefined)
        return [address, answer]
      }
      globalThis.tributaryEarly = { token, answers: new Map(last.asked.map(ask)) }
    }
  } catch {
    // Nothing stored, or nothing readable: the application sends its own requests.
  }

  /** Styled inline, because the style sheet may have failed to load. */
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

  /** Reports on a still empty page that the application failed to load; shown until the user tries again. */
  function sayLost() {
    const root = document.getElementById('root')
    if (!root || root.hasChildNodes()) return
    const make = (tag, attributes, ...children) => {
      const element = Object.assign(document.createElement(tag), attributes)
      element.append(...children)
      return element
    }
    // A pending style sheet would keep the page blank.
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

  // Code that fails to load is an error event of its element; a part loaded later, a rejected promise.
  const lost = (event) => (event.target === window || event.target instanceof HTMLScriptElement) && sayLost()
  addEventListener('error', lost, true)
  addEventListener('unhandledrejection', lost)
  setTimeout(sayLost, 120_000)
})()
