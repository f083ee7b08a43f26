import { fieldsContainer } from './account.ts'
import { type ElementKey, type ElementSelector, toCss } from './configuration.ts'
import { describe, findAll, INPUTS } from './fields.ts'
import { isPrivate } from './guesses.ts'
import { findHost, findParent, proposeSelector } from './propose.ts'
import { ignoringRefusal } from './refusal.ts'
import { type ByElement, elementsOn, toMatched } from './site-check.ts'

/** Sends what was picked; resolves to what `then` returns, to nothing if that failed. */
type Report = (found: object, then: (reply: Response) => unknown) => Promise<unknown>

/** The elements' names on the Embed Code screen, in its order. */
const NAMES: ByElement<string> = {
  firstName: 'First Name',
  lastName: 'Last Name',
  email: 'Email',
  phone: 'Phone',
  fieldsContainer: 'Fields Container',
  submitButton: 'Submit Button',
}
const KEYS = Object.keys(NAMES) as ElementKey[]
const isContainer = (key: ElementKey) => KEYS.indexOf(key) > 3

const STYLE = `:host{all:initial!important;position:fixed!important;z-index:2147483647!important;color-scheme:dark!important}
*{font:14px/20px system-ui}
div,section{position:fixed;inset:0;cursor:crosshair}
.box{inset:auto;pointer-events:none;outline:3px solid #3347c4;box-shadow:0 0 0 5px #fff}
section{inset:auto 8px 8px;max-width:920px;margin:auto;padding:12px;background:#171e27;color:#e8edf3;cursor:auto}
.top{inset:8px 8px auto}
section,button{border:1px solid #748190;border-radius:8px}
p{display:flex;flex-wrap:wrap;gap:8px;margin:8px 0 0}
button{padding:7px 12px;background:#212b37}
p+p button{flex:1 9 130px}
@media(max-width:870px){.names button{flex-basis:max(130px,30%)}}
[aria-pressed=true]{background:#3347c4}
b,span{display:block;max-width:220px;margin:auto;overflow:hidden;text-overflow:ellipsis}
[hidden]{display:none}`

/**
 * Lets the owner choose elements on their own page, in a bar above it; `report` sends what they chose. The page gets no
 * press meanwhile, and is as it was afterwards.
 */
export function openPicker(report: Report): void {
  const host = document.createElement('tributary-picker')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]
  const undo: (() => void)[] = []
  const listening: EventTarget[] = []
  const chosen: Partial<ByElement<Element>> = {}
  const before = elementsOn()
  let picked: Partial<ByElement<ElementSelector>>
  let found: Partial<ByElement<Element>>
  let current = KEYS.find((key) => !before[key]) || KEYS[0]!
  let shown = current
  let over: Element | undefined

  const make = (tag: string, parent: Node, kind = '', text = '') => {
    const made = parent.appendChild(document.createElement(tag))
    made.className = kind
    made.textContent = text
    return made
  }
  const button = (parent: Node, text: string, press: () => void) => {
    const made = make('button', parent, '', text) as HTMLButtonElement
    made.type = 'button'
    made.addEventListener('click', press)
    return made
  }
  const shade = make('div', root)
  const box = make('div', root, 'box')
  const bar = make('section', root)
  bar.setAttribute('aria-label', 'Pick on my page')
  const status = make('output', bar)
  make('p', bar, '', 'Keyboard: Tab to an element, Enter picks it, Escape leaves.')
  const names = make('p', bar, 'names')
  const rows = KEYS.map((key) => {
    const row = button(names, '', () => {
      current = shown = key
      show()
    })
    make('b', row, '', NAMES[key])
    return { key, row, state: make('span', row) }
  })
  const acts = make('p', bar)
  const larger = button(acts, 'Larger', () => {
    chosen[shown] = findParent(chosen[shown]!) || chosen[shown]
    show()
  })
  const clear = button(acts, 'Clear', () => {
    delete chosen[shown]
    current = shown
    show()
  })
  button(acts, 'Move bar', () => bar.classList.toggle('top'))
  const use = button(acts, 'Use these', send)
  const leaving = button(acts, 'Leave', leave)

  /** Shows what is chosen; `said` is said instead of the next step. */
  function show(said?: string) {
    let done = ''
    picked = {}
    found = {}
    over = undefined
    for (const { key, row, state } of rows) {
      const element = chosen[key]
      let text = before[key] ? 'Found' : 'Not found'
      if (element) {
        const scope = scopeOf(key, element)
        const selector = proposeSelector(element, scope)
        picked[key] = selector
        const all = findAll(toCss(selector), scope)
        if (all[0]) found[key] = element
        text = `${selector.selectorValue} · ${all.length} found`
        if (key === shown) done = `${NAMES[key]}: ${text}. `
      }
      state.textContent = text
      row.setAttribute('aria-pressed', `${key === current}`)
    }
    status.textContent = said || `${done}Click ${NAMES[current]} on your page.`
    larger.disabled = clear.disabled = !done
    use.disabled = !Object.keys(picked)[0]
  }

  /** Returns where the script looks for an element. */
  function scopeOf(key: ElementKey, element: Element): ParentNode & Node {
    if (isContainer(key)) return document
    const all = findAll(fieldsContainer)
    return (
      chosen.fieldsContainer ||
      all.find((one) => isWithin(element, one)) ||
      all[0] ||
      element.closest('form') ||
      document
    )
  }

  function choose(place: Element) {
    const element = targetOf(current, place)
    if (typeof element === 'string') return show(element)
    chosen[current] = element
    // the script reads a shadow root or a frame only if the container is in it
    if (!isContainer(current) && element.getRootNode() !== document && !fieldsContainer)
      chosen.fieldsContainer = chosen.fieldsContainer || containerOf(element)
    shown = current
    current = KEYS.find((key, at) => !chosen[key] && at > KEYS.indexOf(shown)) || shown
    show()
  }

  function send() {
    use.disabled = true
    const matched = toMatched(Object.assign(elementsOn(), found))
    report({ picked, matched }, ({ ok }) => ok).then((ok) => {
      if (!ok) return show('That couldn’t be sent. Please try again.')
      shade.hidden = box.hidden = names.hidden = true
      status.textContent = 'Sent. Save changes on the Embed Code screen.'
      leaving.focus()
    })
  }

  function leave() {
    host.remove()
    for (const step of undo.splice(0)) step()
  }

  function hear(view: EventTarget) {
    if (listening.indexOf(view) >= 0) return
    listening.push(view)
    const listen = (types: string, told: (event: KeyboardEvent) => void) => {
      for (const type of types.split(' ')) {
        const careful = (event: Event) => ignoringRefusal(() => told(event as KeyboardEvent))
        view.addEventListener(type, careful, true)
        undo.push(() => view.removeEventListener(type, careful, true))
      }
    }
    // a screen reader clicks without a key
    listen('click submit keydown keypress keyup', (event) => {
      const { key, type } = event
      const isPress = key ? /^( |Enter)$/.test(key) : event.isTrusted
      if (key !== 'Escape' && (event.target === host || shade.hidden || !isPress)) return
      event.preventDefault()
      event.stopImmediatePropagation()
      if (type !== 'click' && (type !== 'keydown' || event.repeat)) return
      if (key === 'Escape') leave()
      else choose(event.composedPath()[0] as Element)
    })
  }

  /** Keeps the box on its element, and the bar above the page, or inside its modal dialog. */
  function draw() {
    if (!undo[0]) return
    const parent = ignoringRefusal(() => document.querySelector('dialog:modal')) || document.documentElement
    if (host.parentNode !== parent) parent.appendChild(host)
    // the keyboard may move into a frame
    for (const { contentDocument } of findAll('iframe') as HTMLIFrameElement[])
      if (contentDocument) hear(contentDocument)
    const element = over || chosen[shown]
    box.hidden = shade.hidden || !element
    if (element) {
      const { left, top, width, height } = boundsOf(element)
      box.style.cssText = `left:${left}px;top:${top}px;width:${width}px;height:${height}px`
    }
    requestAnimationFrame(draw)
  }

  const under = ({ clientX, clientY }: MouseEvent) => elementAt(clientX, clientY, document)!
  shade.addEventListener('pointermove', (event) => {
    const target = targetOf(current, under(event))
    over = typeof target === 'string' ? undefined : target
  })
  shade.addEventListener('click', (event) => choose(under(event)))
  // what scrolls by itself is below the shade
  shade.addEventListener('wheel', (event) => {
    for (let at: Element | null | undefined = under(event); at; at = findParent(at))
      at.scrollBy(event.deltaX, event.deltaY)
    event.preventDefault()
  })

  hear(window)
  draw()
  show()
  rows.find(({ key }) => key === current)!.row.focus()
}

function isWithin(element: Element | null | undefined, container: Element): boolean {
  return element === container || (!!element && isWithin(findParent(element), container))
}

/** Returns the form of a field; in a shadow root or frame without one, everything. */
function containerOf(element: Element): Element {
  const { parentElement } = element
  return element.closest('form') || (parentElement ? containerOf(parentElement) : element)
}

/** Returns the element that `key` means by a place on the page, or why there is none. */
function targetOf(key: ElementKey, place: Element): Element | string {
  if (key === 'submitButton') return place.closest('button,a,input,[role=button]') || place
  const within = place.querySelectorAll(INPUTS)
  if (key === 'fieldsContainer') return within[1] ? place : place.closest('form') || findParent(place) || place
  const field =
    place.closest(INPUTS) || (place.closest('label') || ({} as HTMLLabelElement)).control || (!within[1] && within[0])
  return field && !isPrivate(describe(field as HTMLInputElement)) ? field : 'The script reads no field here.'
}

/** Returns the innermost element of the page at a point, in open shadow roots and readable frames too. */
function elementAt(x: number, y: number, root: Document | ShadowRoot): Element | undefined {
  const element = root
    .elementsFromPoint(x, y)
    .find((one) => one.getRootNode() === root && one.localName !== 'tributary-picker')
  if (!element) return
  const inner = (element as HTMLIFrameElement).contentDocument
  const { left, top } = element.getBoundingClientRect()
  const within = inner
    ? elementAt(x - left - element.clientLeft, y - top - element.clientTop, inner)
    : element.shadowRoot && elementAt(x, y, element.shadowRoot)
  return within || element
}

/** Returns where an element is in the window, even inside a frame. */
function boundsOf(element: Element): { left: number; top: number; width: number; height: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  const frame = findHost(element.ownerDocument)
  const around = frame ? boundsOf(frame) : { left: 0, top: 0 }
  return { left: left + around.left, top: top + around.top, width, height }
}
