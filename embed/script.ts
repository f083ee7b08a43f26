import { arrivalOf, cleanAddress, foreignHost } from './address.ts'
import type { ServedConfiguration } from './configuration.ts'
import { leadDelivery, post } from './delivery.ts'
import { findAll, type Person, readPerson } from './fields.ts'
import { isSignUp, kindOf } from './kinds.ts'
import { pageApi, showReferrals, type Told, tell } from './page-api.ts'
import { ignoringRefusal, type Reference, referenceStore } from './reference.ts'
import { submissionOf } from './submission.ts'

/** Defined in the line before the script; see renderEmbedScript. */
declare const tributaryConfiguration: ServedConfiguration

type Prerendered = Document & { prerendering?: boolean }
type Policy = { createScriptURL(url: string): string }
type TrustedTypes = Window & { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }

/** Milliseconds in which a form is sent only once, by its button or its event. */
const ONCE_MS = 2000
const LOOK_EVERY_MS = 250
/** Milliseconds after which the page is told of a code whose click is not counted yet. */
const TELL_AFTER_MS = 2000

/**
 * Runs on customers' pages, so it fails silently: the page must not notice. Does nothing before `load`, or before
 * consent if that is required.
 */
function start(account: ServedConfiguration) {
  const { selectors, firstTouch, program } = account
  const api = pageApi()
  if (api.programs!.some(({ id }) => id === program)) return
  // tag managers load the script in their own way
  const tag = (document.currentScript ||
    ignoringRefusal(() =>
      document.querySelector(`script[src*="/${account.endpoint.split('/').pop()}.js"]`),
    )) as HTMLScriptElement | null
  // and strip attributes, so that each may be in the script's address
  const options = (name: string) => [
    ignoringRefusal(() => tag!.getAttribute(`data-${name}`)),
    ignoringRefusal(() => new URL(tag!.src).searchParams.get(name)),
  ]
  // the page may require more privacy than the account, never less
  const modes = [account.consentMode].concat(options('consent') as never[])
  const waits = modes.indexOf('required') >= 0
  const visitOnly = modes.indexOf('cookieless') >= 0
  const endpoint = options('endpoint').filter((one) => one)[0] || account.endpoint
  // routers of single-page sites may remove the query before this runs, so the address first requested is checked too
  const landing = [
    location.href,
    ignoringRefusal(() => performance.getEntriesByType('navigation')[0]!.name),
    // consent may be given on the next page
    ignoringRefusal(() => waits && !foreignHost(document.referrer, location.host) && document.referrer),
  ].filter((address) => ignoringRefusal(() => arrivalOf(address as string, account)))[0] as string | undefined
  const store = referenceStore(program, visitOnly, account.cookieDays, (reference, cookie, domain) => {
    // browsers soon delete a cookie set by a script, but not one set by the site's own answer; a click id still being
    // counted comes a moment later, and two answers could arrive in any order
    if (reference.click && new URL(endpoint, location.href).origin === location.origin)
      post(`${endpoint}/keep`, JSON.stringify({ reference: cookie, domain })).catch(() => {})
  })
  const delivery = leadDelivery(program, `${endpoint}/leads`, visitOnly)
  const shownAt = new WeakMap<Node, number>()
  const sentAt = new WeakMap<Node, number>()
  const told = { ready: [] as unknown[], change: [] as unknown[] }
  let allowed = !waits || !!api.consented
  let loaded = false
  let watching = false
  let settled = false
  let shown = 'null'

  function latest() {
    const { code, click, at } = (allowed && store.read()) || ({} as Partial<Reference>)
    return code || click
      ? { referral: { referral: click || code!, clickId: click || null, referralCode: code || null, program }, at: at! }
      : undefined
  }
  const current = () => latest()?.referral || null

  /** Tells the page of a referral that it does not know yet. */
  function show() {
    showReferrals(api)
    const now = JSON.stringify(current())
    if (now === shown) return
    shown = now
    tell('change', told.change, current())
  }

  /** Tells the page once, whether there is a referral or not. */
  function settle() {
    if (settled) return
    settled = true
    tell('ready', told.ready, current())
  }

  function take(command: string, value: unknown) {
    if (command === 'consent') {
      allowed = value !== false
      if (allowed) return begin()
      store.forget()
      delivery.forget()
      return show()
    }
    if (!loaded) return
    if (command === 'ready' && settled) (value as Told)(current())
    else if (command === 'ready' || command === 'change') told[command].push(value)
    if (command === 'change' && current()) (value as Told)(current())
    if (command === 'click' && value && allowed)
      arrive(new URL(`?${account.names[0]}=${encodeURIComponent(value as string)}`, location.href).href)
    if (command === 'signup' && allowed) sendPerson(typeof value === 'string' ? { email: value } : (value as Person))
  }

  function begin() {
    if (!loaded || !allowed) return
    if (landing) ignoringRefusal(() => arrive(landing))
    show()
    delivery.resend()
    if (!watching) ignoringRefusal(watch)
    watching = true
  }

  /** Stores the visitor's referral, and reports the click unless a short link has already counted it. */
  function arrive(landing: string) {
    const before = store.read()
    const arrival = arrivalOf(landing, account)
    if (!arrival) return
    const { codes, click } = arrival
    const code = codes[0] || ''
    const again = !click && store.reported() === code
    if (again && before) return
    if (!before || !firstTouch) store.keep(code, click)
    show()
    if (click || again) return
    // sites use a parameter such as `ref` for more than partners: the server finds the code that credits one, and after a
    // visit without any the click before is still the latest
    const visit = { referralCode: code, clickId: before?.click, pageUrl: clean(landing), referrer: referrer() }
    post(`${endpoint}/clicks`, JSON.stringify(visit))
      .then((reply) => reply.json())
      .then(({ clickId, referralCode }: { clickId?: string | null; referralCode?: string | null }) => {
        const kept = store.read()
        if (!allowed || !kept || !clickId) return
        store.markReported(code)
        if (kept.code === code && !kept.click) store.keep(referralCode || code, clickId, kept.at)
        show()
        settle()
      })
      .catch(() => {})
  }

  const clean = (address: string) => cleanAddress(address, account.names)
  const referrer = () => ignoringRefusal(() => foreignHost(document.referrer, location.host))

  /** Listens on every root that dispatches form events, including roots added later. */
  function watch() {
    const heard = new WeakSet<Node>()
    const observer = ignoringRefusal(() => new MutationObserver(lookSoon))
    let due = false

    function listen(root: Node) {
      if (heard.has(root)) return
      heard.add(root)
      // in the capture phase of the outermost target, so that no handler of the page can hide the event
      const at = root === document ? window : root
      at.addEventListener('submit', notice, true)
      at.addEventListener('click', notice, true)
      // a newly loaded frame may contain the fields
      at.addEventListener('load', lookSoon, true)
      observer?.observe(root, { childList: true, subtree: true })
    }

    function look(time: number) {
      const css = selectors.fieldsContainer
      const containers: Element[] = Array.from<Element>(document.forms).concat(findAll(document, css))
      for (const container of containers) {
        if (!shownAt.has(container)) shownAt.set(container, time)
        ignoringRefusal(() => listen(container.getRootNode()))
      }
    }

    function lookSoon() {
      if (due) return
      due = true
      setTimeout(() => {
        due = false
        ignoringRefusal(() => look(performance.now()))
      }, LOOK_EVERY_MS)
    }

    listen(document)
    look(0)
  }

  const notice = (event: Event) => ignoringRefusal(() => send(event))

  function send(event: Event) {
    if (!allowed) return
    if (account.onlyIfReferred && !store.read()) return
    const submission = submissionOf(event, selectors)
    if (!submission) return
    const { form, button, scopes, isChosen } = submission
    const place = (form || scopes[0]) as Element | Document
    const on = { form: 'closest' in place ? place : button!, button, isChosen }
    if (!isSignUp(kindOf(on, account.forms, selectors))) return
    const now = performance.now()
    if (now - (sentAt.get(place) || -ONCE_MS) < ONCE_MS) return
    const person = readPerson(selectors, scopes, form)
    if (!person.email && !person.phone) return
    sentAt.set(place, now)
    const shown = Math.max(shownAt.get(place) || 0, shownAt.get(scopes[0] as Node) || 0)
    sendPerson(person, Math.round(now - shown))
  }

  function sendPerson({ email, phone, firstName, lastName }: Person, elapsedMs?: number) {
    const reference = store.read()
    if (account.onlyIfReferred && !reference) return
    const { code, click } = reference || ({} as Partial<Reference>)
    delivery.send(
      JSON.stringify({
        firstName,
        lastName,
        email,
        phone,
        referralCode: code || undefined,
        clickId: click || undefined,
        pageUrl: clean(location.href),
        referrer: referrer(),
        elapsedMs,
      }),
    )
  }

  /** Loads the owner's check of this page. */
  function check() {
    const picker = document.createElement('script')
    const types = (window as TrustedTypes).trustedTypes
    const policy = types ? types.createPolicy('tributary', { createScriptURL: (url) => url }) : undefined
    const url = `${endpoint}/picker.js`
    picker.src = policy ? policy.createScriptURL(url) : url
    picker.nonce = (tag || picker).nonce
    document.head.appendChild(picker)
  }

  function onLoad() {
    loaded = true
    if (location.hash.indexOf('tributary-check=') > 0) ignoringRefusal(check)
    const calls = api.q!
    for (const call of calls) if (call[0] === 'consent') allowed = call[1] !== false
    begin()
    for (const call of calls) if (call[0] !== 'consent') ignoringRefusal(() => take(call[0] as string, call[1]))
    const referral = current()
    if (referral && !referral.clickId) setTimeout(settle, TELL_AFTER_MS)
    else settle()
  }

  /** Waits while the browser renders a page in advance, as no visitor has opened it. */
  function opened() {
    if ((document as Prerendered).prerendering) document.addEventListener('prerenderingchange', onLoad)
    else onLoad()
  }

  api.programs!.push({ id: program, take, latest })

  if (document.readyState === 'complete') opened()
  else addEventListener('load', () => setTimeout(opened))
}

ignoringRefusal(() => start(tributaryConfiguration))
