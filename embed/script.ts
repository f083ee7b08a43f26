import { fieldsContainer, firstTouch, names, onlyIfReferred, plainNames, program } from './account.ts'
import { anyCode, cleanAddress, clickIn, listValues, pairsIn, plainCode } from './address.ts'
import { postJson, toJson } from './delivery.ts'
import { findAll, type Person, readPerson } from './fields.ts'
import { addReferral, crossDomain, handedIn, writeReferral } from './hand-over.ts'
import { decidingRule, isSignUp } from './kinds.ts'
import { api, type Program, type ReferralListener, showReferrals } from './page-api.ts'
import { NONE, nowInSeconds } from './reference.ts'
import { ignoringRefusal } from './refusal.ts'
import { markReported, readReference, reportedCode, saveReference } from './store.ts'
import { readSubmission, type Send } from './submission.ts'
import { endpoint, scriptTag, waits } from './tag.ts'
import { deleteForms, nextForm } from './visitor.ts'
import { deleteLeads, resendLeads, sendLead } from './waiting-leads.ts'

type Prerendered = Document & { prerendering?: boolean }
type Policy = { createScriptURL(url: string): string }
type TrustedTypes = { createPolicy(name: string, rules: Policy): Policy }

/** Milliseconds in which a form is sent only once, by its button or its event. */
const ONCE_MS = 2000
const LOOK_EVERY_MS = 250
/** Milliseconds after which the page is told of a code whose click is not counted yet. */
const TELL_AFTER_MS = 2000

const [, , cameFrom] = document.referrer.split('/')
const referrer = cameFrom === location.host ? '' : cameFrom
// routers of single-page sites may remove the query before this runs, so the address first requested is read too
const addresses = [
  location.href,
  ignoringRefusal(() => performance.getEntriesByType('navigation')[0]!.name),
  // consent may be given on the next page
  waits && !referrer && document.referrer,
]
const handed = handedIn(addresses)
const shownAt = new WeakMap<Node, number>()
const sentUntil = new WeakMap<Node, number>()
let allowed = !waits || api.consented
let settled = false
let shown = ''

const current = () => (allowed ? readReference() : NONE)

/** Hands the referral of this moment over to the page’s fields and links. */
const writeCurrent = () => writeReferral(current(), settled)

/** Tells the page of its referral. */
const dispatchReferral = (event: string) =>
  dispatchEvent(new CustomEvent(`tributary:${event}`, { detail: listed.referral }))

/** Shows the page its referral, and tells it if that is new. */
function show() {
  const [at, code, click] = current()
  const referral = click || code
  listed.referral = referral ? { referral, clickId: click || null, referralCode: code || null, program } : null
  listed.at = at
  showReferrals()
  if (shown === code + referral) return
  shown = code + referral
  writeCurrent()
  dispatchReferral('change')
}

/** Tells the page once, whether there is a referral or not. */
function settle() {
  if (!settled) dispatchReferral('ready')
  settled = true
  if (frames[0]) writeCurrent()
}

function runCommand(command: string, value: unknown) {
  if (command === 'consent') {
    allowed = value !== false
    if (allowed) begin()
    else {
      saveReference(NONE)
      markReported('')
      deleteLeads()
      deleteForms()
      show()
    }
  }
  if (command === 'ready' ? settled : command === 'change' && listed.referral)
    (value as ReferralListener)(listed.referral)
  if (command === 'click' && value && allowed)
    arrive(new URL(`?${names[0]}=${encodeURIComponent(value as string)}`, location.href).href)
  if (command === 'signup' && allowed) sendPerson(typeof value === 'string' ? { email: value } : (value as Person))
}

const listed: Program = { id: program, take: runCommand, referral: null, link: addReferral }

function begin() {
  if (!allowed) return
  const [at] = readReference()
  if (handed && (!at || handed[0] < at === firstTouch)) saveReference(handed)
  addresses.some(arrive)
  show()
  resendLeads()
  listen(document)
  scanPage(0)
}

/**
 * Stores the visitor's referral, and reports the click unless a short link has already counted it. Returns false without
 * a referral in the address.
 */
function arrive(address: string | false | undefined) {
  const [at, , before] = readReference()
  const pairs = pairsIn(address || '')
  const code =
    names
      .flatMap((name, place) => listValues(pairs, name).map(place < plainNames ? plainCode : anyCode))
      .find((code) => code) || ''
  const click = clickIn(pairs)
  if (!code && !click) return false
  const again = click || reportedCode() === code
  if (!at || !(firstTouch || (again && !click))) saveReference([nowInSeconds(), code, click])
  show()
  if (again) return true
  // sites use a parameter such as `ref` for more than partners: the server finds the code that credits one, and after a
  // visit without any the click before is still the latest
  const visit = {
    referralCode: code,
    clickId: before,
    pageUrl: cleanAddress(address as string, names),
    referrer,
  }
  postJson(`${endpoint}/clicks`, toJson(visit), (reply) =>
    reply.json().then(({ clickId, referralCode }: { clickId?: string | null; referralCode?: string | null }) => {
      const [since, kept, counted] = readReference()
      if (!allowed || !since || !clickId) return
      markReported(code)
      if (kept === code && !counted) saveReference([since, referralCode || code, clickId])
      show()
      settle()
    }),
  )
  return true
}

let due: unknown

function scanPage(time: number) {
  for (const container of findAll('form').concat(findAll(fieldsContainer))) {
    if (!shownAt.has(container)) shownAt.set(container, time)
    listen(container.getRootNode())
  }
}

function scanSoon() {
  due =
    due ||
    setTimeout(() => {
      due = 0
      writeCurrent()
      scanPage(performance.now())
    }, LOOK_EVERY_MS)
}

/** Listens on a root that dispatches form events. */
function listen(root: Node) {
  if (shownAt.has(root)) return
  shownAt.set(root, 0)
  // in the capture phase of the outermost target, so that no handler of the page can hide the event
  const at = root === document ? window : root
  for (const type of ['submit', 'click', 'auxclick', 'formdata', 'keydown', 'focusin'])
    at.addEventListener(type, notice, true)
  // a newly loaded frame may contain the fields
  at.addEventListener('load', scanSoon, true)
  new MutationObserver(scanSoon).observe(root, { childList: true, subtree: true })
}

const notice = (event: Event) =>
  ignoringRefusal(() => {
    const place = event.composedPath()[0] as Element
    if (!allowed) return
    // events of a form don't leave its shadow root, but those of its fields do
    listen(place.getRootNode())
    const leads = /click|submit/.test(event.type)
    if (leads) writeCurrent()
    readSubmission(event, place, send)
    if (leads) crossDomain(place.closest('a[href],form')!)
  })

const send: Send = (form, button, scopes) => {
  const place = (form || scopes[0]) as Element | Document
  const now = performance.now()
  if (
    !isSignUp(decidingRule((place as Element).closest ? (place as Element) : button!, button)) ||
    sentUntil.get(place)! > now
  )
    return
  const read = () => readPerson(scopes, form)
  const person = read()
  if (!person.email && !person.phone) return
  sentUntil.set(place, now + ONCE_MS)
  sendPerson(person, now - (shownAt.get(place) || 0), place, read)
}

function sendPerson(
  { firstName, lastName, email, phone }: Person,
  elapsedMs?: number,
  form?: unknown,
  readAgain?: () => Person,
) {
  const [at, code, click] = readReference()
  if (onlyIfReferred && !at) return
  const lead = {
    firstName,
    lastName,
    email,
    phone,
    referralCode: code,
    clickId: click,
    pageUrl: cleanAddress(location.href, names),
    referrer,
    elapsedMs,
  }
  sendLead(toJson(Object.assign(nextForm(email, phone, form, readAgain), lead)))
}

/** Loads the owner's check of this page. */
function check() {
  const { trustedTypes } = window as unknown as { trustedTypes?: TrustedTypes }
  const url = `${endpoint}/picker.js`
  const src = trustedTypes
    ? trustedTypes.createPolicy('tributary', { createScriptURL: (trusted) => trusted }).createScriptURL(url)
    : url
  document.head.appendChild(Object.assign(document.createElement('script'), { nonce: scriptTag.nonce, src }))
}

function onLoad() {
  if (api.programs!.some(({ id }) => id === program)) return
  api.programs!.push(listed)
  if (/tributary-check=/.test(location.hash)) ignoringRefusal(check)
  const calls = api.q!.slice() as [string, unknown][]
  for (const [command, value] of calls) if (command === 'consent') allowed = value !== false
  begin()
  for (const [command, value] of calls)
    if (/click|signup/.test(command)) ignoringRefusal(() => runCommand(command, value))
  setTimeout(settle, listed.referral && !listed.referral.clickId ? TELL_AFTER_MS : 0)
}

/** Waits while the browser renders a page in advance, as no visitor has opened it. */
function opened() {
  if ((document as Prerendered).prerendering) document.addEventListener('prerenderingchange', opened)
  else ignoringRefusal(onLoad)
}

if (document.readyState === 'complete') opened()
else addEventListener('load', () => setTimeout(opened))
