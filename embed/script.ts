import { cleanAddress, firstArrival, foreignHost } from './address.ts'
import type { ServedConfiguration } from './configuration.ts'
import { filled, leadDelivery, post } from './delivery.ts'
import { findAll, type Person, readPerson } from './fields.ts'
import { isSignUp, kindOf } from './kinds.ts'
import { type Program, pageApi, showReferrals, type Told, tell } from './page-api.ts'
import { ignoringRefusal, type Reference, referenceStore } from './reference.ts'
import { submissionOf } from './submission.ts'

/** Defined in the line before the script; see renderEmbedScript. */
declare const tributaryConfiguration: ServedConfiguration

type Prerendered = Document & { prerendering?: boolean }
type Policy = { createScriptURL(url: string): string }
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy }

/** Milliseconds in which a form is sent only once, by its button or its event. */
const ONCE_MS = 2000
const LOOK_EVERY_MS = 250
/** Milliseconds after which the page is told of a code whose click is not counted yet. */
const TELL_AFTER_MS = 2000

/**
 * Runs on customers' pages, so it fails silently: the page must not notice. Does nothing before `load`, or before
 * consent if that is required.
 */
function start([
  selectors,
  forms,
  program,
  server,
  names,
  plain,
  cookieDays,
  firstTouch,
  onlyIfReferred,
  consentMode,
]: ServedConfiguration) {
  const own = { names, plain }
  const api = pageApi()
  // tag managers load the script in their own way
  const tag = (document.currentScript ||
    document.querySelector(`script[src*="/${server.split('/').pop()}.js"]`) ||
    document.createElement('script')) as HTMLScriptElement
  const { searchParams } = new URL(tag.src || server)
  // and strip attributes, so that each may be in the script's address
  const option = (name: string) => tag.getAttribute(`data-${name}`) || searchParams.get(name)
  // the page may require more privacy than the account, never less
  const modes = [consentMode, tag.getAttribute('data-consent'), searchParams.get('consent')].join()
  const waits = /required/.test(modes)
  const visitOnly = /cookieless/.test(modes)
  const endpoint = option('endpoint') || server
  // routers of single-page sites may remove the query before this runs, so the address first requested is checked too
  const landing = [
    location.href,
    ignoringRefusal(() => performance.getEntriesByType('navigation')[0]!.name),
    // consent may be given on the next page
    waits && !foreignHost(document.referrer, location.host) && document.referrer,
  ].filter((address) => address && firstArrival(address, own))[0] as string | undefined
  const store = referenceStore(program, visitOnly, cookieDays, (reference, cookie, domain) => {
    // browsers soon delete a cookie set by a script, but not one set by the site's own answer; a click id still being
    // counted comes a moment later, and two answers could arrive in any order
    if (reference.click && new URL(endpoint, location.href).origin === location.origin)
      post(`${endpoint}/keep`, JSON.stringify({ reference: cookie, domain }))
  })
  const delivery = leadDelivery(program, `${endpoint}/leads`, visitOnly)
  const shownAt = new WeakMap<Node, number>()
  const sentAt = new WeakMap<Node, number>()
  const listed: Program = { id: program, take, referral: null, at: 0 }
  let allowed = !waits || !!api.consented
  let watching = false
  let settled = false

  /** Shows the page a referral, and tells it if that is new. */
  function show() {
    const before = JSON.stringify(listed.referral)
    const { code, click, at } = (allowed && store.read()) || ({} as Partial<Reference>)
    const referral = click || code
    listed.referral = referral ? { referral, clickId: click || null, referralCode: code || null, program } : null
    listed.at = at!
    showReferrals(api)
    if (JSON.stringify(listed.referral) !== before) tell('change', listed.referral)
  }

  /** Tells the page once, whether there is a referral or not. */
  function settle() {
    if (!settled) tell('ready', listed.referral)
    settled = true
  }

  function take(command: string, value: unknown) {
    if (command === 'consent') {
      allowed = value !== false
      if (allowed) return begin()
      store.forget()
      delivery.forget()
      return show()
    }
    if (command === 'ready' ? settled : command === 'change' && listed.referral) (value as Told)(listed.referral)
    if (command === 'click' && value && allowed)
      arrive(new URL(`?${names[0]}=${encodeURIComponent(value as string)}`, location.href).href)
    if (command === 'signup' && allowed) sendPerson(typeof value === 'string' ? { email: value } : (value as Person))
  }

  function begin() {
    if (!allowed) return
    if (landing) arrive(landing)
    show()
    delivery.resend()
    if (!watching) watch()
    watching = true
  }

  /** Stores the visitor's referral, and reports the click unless a short link has already counted it. */
  function arrive(landing: string) {
    const before = store.read()
    const arrival = firstArrival(landing, own)
    if (!arrival) return
    const { code, click } = arrival
    const again = !click && store.reported() === code
    if (again && before) return
    if (!before || !firstTouch) store.keep(code, click)
    show()
    if (click || again) return
    // sites use a parameter such as `ref` for more than partners: the server finds the code that credits one, and after a
    // visit without any the click before is still the latest
    const visit = {
      referralCode: code,
      clickId: before?.click,
      pageUrl: cleanAddress(landing, names),
      referrer: referrer(),
    }
    post(`${endpoint}/clicks`, filled(visit), (reply) =>
      reply.json().then(({ clickId, referralCode }: { clickId?: string | null; referralCode?: string | null }) => {
        const kept = store.read()
        if (!allowed || !kept || !clickId) return
        store.markReported(code)
        if (kept.code === code && !kept.click) store.keep(referralCode || code, clickId, kept.at)
        show()
        settle()
      }),
    )
  }

  const referrer = () => foreignHost(document.referrer, location.host)

  /** Listens on every root that dispatches form events, including roots added later. */
  function watch() {
    const heard = new WeakSet<Node>()
    const observer = new MutationObserver(lookSoon)
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
      observer.observe(root, { childList: true, subtree: true })
    }

    function look(time: number) {
      for (const container of findAll(document, 'form').concat(findAll(document, selectors.fieldsContainer))) {
        if (!shownAt.has(container)) shownAt.set(container, time)
        listen(container.getRootNode())
      }
    }

    function lookSoon() {
      if (due) return
      due = true
      setTimeout(() => {
        due = false
        look(performance.now())
      }, LOOK_EVERY_MS)
    }

    listen(document)
    look(0)
  }

  const notice = (event: Event) => ignoringRefusal(() => send(event))

  function send(event: Event) {
    const submission = allowed && submissionOf(event, selectors)
    if (!submission) return
    const { form, button, scopes, isChosen } = submission
    const place = (form || scopes[0]) as Element | Document
    const on = { form: 'closest' in place ? place : button!, button, isChosen }
    const now = performance.now()
    if (!isSignUp(kindOf(on, forms, selectors)) || now - (sentAt.get(place) || -ONCE_MS) < ONCE_MS) return
    const person = readPerson(selectors, scopes, form)
    if (!person.email && !person.phone) return
    sentAt.set(place, now)
    sendPerson(person, Math.round(now - (shownAt.get(place) || 0)))
  }

  function sendPerson({ email, phone, firstName, lastName }: Person, elapsedMs?: number) {
    const reference = store.read()
    if (onlyIfReferred && !reference) return
    const { code, click } = reference || ({} as Partial<Reference>)
    const pageUrl = cleanAddress(location.href, names)
    const lead = {
      firstName,
      lastName,
      email,
      phone,
      referralCode: code,
      clickId: click,
      pageUrl,
      referrer: referrer(),
    }
    delivery.send(filled(Object.assign(lead, { elapsedMs })))
  }

  /** Loads the owner's check of this page. */
  function check() {
    const picker = document.createElement('script')
    const types: TrustedTypes = (window as unknown as { trustedTypes?: TrustedTypes }).trustedTypes || {
      createPolicy: (_, rules) => rules,
    }
    const policy = types.createPolicy('tributary', { createScriptURL: (url) => url })
    picker.src = policy.createScriptURL(`${endpoint}/picker.js`)
    picker.nonce = tag.nonce
    document.head.appendChild(picker)
  }

  function onLoad() {
    if (api.programs!.some(({ id }) => id === program)) return
    api.programs!.push(listed)
    if (/tributary-check=/.test(location.hash)) ignoringRefusal(check)
    const calls = Array.from(api.q!) as [string, unknown][]
    for (const [command, value] of calls) if (command === 'consent') allowed = value !== false
    begin()
    for (const [command, value] of calls) if (/click|signup/.test(command)) ignoringRefusal(() => take(command, value))
    if (listed.referral && !listed.referral.clickId) setTimeout(settle, TELL_AFTER_MS)
    else settle()
  }

  /** Waits while the browser renders a page in advance, as no visitor has opened it. */
  function opened() {
    if ((document as Prerendered).prerendering) document.addEventListener('prerenderingchange', opened)
    else ignoringRefusal(onLoad)
  }

  if (document.readyState === 'complete') opened()
  else addEventListener('load', () => setTimeout(opened))
}

ignoringRefusal(() => start(tributaryConfiguration))
