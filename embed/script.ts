import { arrivalOf, cleanAddress, foreignHost } from './address.ts'
import type { ServedConfiguration } from './configuration.ts'
import { leadDelivery, post } from './delivery.ts'
import { findAll, readPerson } from './fields.ts'
import { isSignUp, kindOf } from './kinds.ts'
import { formatReference, ignoringRefusal, type Reference, referenceStore } from './reference.ts'
import { submissionOf } from './submission.ts'

/** Defined in the line before the script; see renderEmbedScript. */
declare const tributaryConfiguration: ServedConfiguration

declare global {
  interface Window {
    tributary?: {
      /** True if consent was given before the script loaded. */
      consented?: boolean
      /** Gives consent; `false` revokes it and deletes the stored data. */
      consent?: (given?: boolean) => void
    }
  }
}

type Prerendered = Document & { prerendering?: boolean }
type Policy = { createScriptURL(url: string): string }
type TrustedTypes = Window & { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }

/** Milliseconds in which a form is sent only once, by its button or its event. */
const ONCE_MS = 2000
const LOOK_EVERY_MS = 250

/**
 * Runs on customers' pages, so it fails silently: the page must not notice. Does nothing before `load`, or before
 * consent if that is required.
 */
function start(account: ServedConfiguration) {
  const { selectors, firstTouch } = account
  const page = window.tributary || {}
  if (page.consent) return
  window.tributary = page
  const tag = document.currentScript as HTMLScriptElement | null
  const option = (name: string) => ignoringRefusal(() => tag!.getAttribute(`data-${name}`))
  // the page may require more privacy than the account, never less
  const modes = [account.consentMode, option('consent')]
  const waits = modes.indexOf('required') >= 0
  const visitOnly = modes.indexOf('cookieless') >= 0
  const endpoint = option('endpoint') || account.endpoint
  // routers of single-page sites may remove the query before this runs, so the address first requested is checked too
  const landing = [location.href, ignoringRefusal(() => performance.getEntriesByType('navigation')[0]!.name)].filter(
    (address) => ignoringRefusal(() => arrivalOf(address!, account)),
  )[0]
  const store = referenceStore(visitOnly, account.cookieDays, (reference, domain) => {
    // browsers soon delete a cookie set by a script, but not one set by the site's own answer; a click id still being
    // counted comes a moment later, and two answers could arrive in any order
    if (reference.click && new URL(endpoint, location.href).origin === location.origin)
      post(`${endpoint}/keep`, JSON.stringify({ reference: formatReference(reference), domain })).catch(() => {})
  })
  const delivery = leadDelivery(`${endpoint}/leads`, visitOnly)
  const shownAt = new WeakMap<Node, number>()
  const sentAt = new WeakMap<Node, number>()
  let allowed = !waits || !!page.consented
  let loaded = false
  let watching = false

  page.consent = (given = true) =>
    ignoringRefusal(() => {
      allowed = given
      if (given) begin()
      else {
        store.forget()
        delivery.forget()
      }
    })

  function begin() {
    if (!loaded || !allowed) return
    ignoringRefusal(arrive)
    delivery.resend()
    if (!watching) ignoringRefusal(watch)
    watching = true
  }

  /** Stores the visitor's referral, and reports the click unless a short link has already counted it. */
  function arrive() {
    const before = store.read()
    const arrival = landing && arrivalOf(landing, account)
    if (!arrival) return
    const { codes, click } = arrival
    const code = codes[0] || ''
    const again = !click && store.reported() === code
    if (again && before) return
    if (!before || !firstTouch) store.keep(code, click)
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
      const containers: Element[] = Array.from<Element>(document.forms).concat(css ? findAll(document, css) : [])
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
    const reference = store.read()
    if (account.onlyIfReferred && !reference) return
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
    const { code, click } = reference || ({} as Partial<Reference>)
    delivery.send(
      JSON.stringify(
        Object.assign(person, {
          referralCode: code || undefined,
          clickId: click || undefined,
          pageUrl: clean(location.href),
          referrer: referrer(),
          elapsedMs: Math.round(now - shown),
        }),
      ),
    )
  }

  /** Loads the owner's check of this page. */
  function check() {
    const picker = document.createElement('script')
    const types = (window as TrustedTypes).trustedTypes
    const policy = types ? types.createPolicy('tributary', { createScriptURL: (url) => url }) : undefined
    const url = `${endpoint}/picker.js`
    picker.src = policy ? policy.createScriptURL(url) : url
    picker.nonce = tag?.nonce || ''
    document.head.appendChild(picker)
  }

  function onLoad() {
    loaded = true
    if (/[#&]tributary-check=/.test(location.hash)) ignoringRefusal(check)
    begin()
  }

  /** Waits while the browser renders a page in advance, as no visitor has opened it. */
  function opened() {
    if ((document as Prerendered).prerendering) document.addEventListener('prerenderingchange', onLoad)
    else onLoad()
  }

  if (document.readyState === 'complete') opened()
  else addEventListener('load', () => setTimeout(opened))
}

ignoringRefusal(() => start(tributaryConfiguration))
