/**
 * A model of incoming webhooks, by the written rules and without the product's code: a world of plain data, so that it
 * can be copied to try both orders of concurrent actions. New things have the ids that the product gave them.
 */
export type World = {
  now: number
  accounts: Record<string, { disabledAt: number | null }>
  partners: Partner[]
  hooks: Hook[]
  deliveries: Delivery[]
  leads: Lead[]
  sales: Sale[]
  refunds: { id: string; accountId: string; externalId: string; saleId: string; amount: number }[]
}

export type Partner = {
  id: string
  accountId: string
  code: string
  email: string
  state: 'active' | 'suspended' | 'archived'
}
export type Lead = {
  id: string
  accountId: string
  email: string | null
  externalId: string | null
  firstName: string | null
  partnerId: string | null
  status: string
  duplicateOfId: string | null
  createdAt: number
}
type Sale = {
  id: string
  accountId: string
  /** Each webhook is its own shop: two may use the same order numbers. */
  hookId: string
  externalId: string
  leadId: string
  partnerId: string | null
  payerEmail: string | null
  amount: number
  refunded: number
}

export const targets = ['lead', 'sale', 'refund', 'lead-status'] as const
export type Target = (typeof targets)[number]

/** A field's source: a value of the content by its name. The spelling of its path is outside the model. */
export type Reading = { field: string; from: string; transform: string; fallback: string | null }
export type Match = { by: 'referralCode' | 'email' | 'id'; from: string } | null

export type Hook = {
  id: string
  accountId: string
  target: Target
  enabled: boolean
  tokens: { token: string; until: number | null }[]
  secret: string | null
  readings: Reading[]
  match: Match
  filter: { from: string; path: string; equals: string } | null
  dedupe: string | null
  lastReceivedAt: number | null
  lastPingAt: number | null
}

/** A payload as names and values; its nesting and encoding are outside the model. */
export type Content = Record<string, string>

/** Characters that text columns cannot store are read as the replacement character. */
const read = (content: Content): Content =>
  Object.fromEntries(Object.entries(content).map(([name, value]) => [name, value.replaceAll('\0', '\ufffd')]))

export type Delivery = {
  /** Null if the sender does not prove itself and so gets no id. */
  id: string | null
  hookId: string
  content: Content | null
  key: string | null
  state: 'received' | 'processed' | 'ignored' | 'failed' | 'replayed'
  reason: string | null
  fields: string[]
  made: string | null
  receivedAt: number
}

const DAY = 86_400_000
export const UNPROVEN = 'The signature or the password is missing or wrong.'
const UNREADABLE = 'The body isn’t valid JSON or form data.'
/** A reason whose words are outside the model. */
export const SAID = 'said'

/** The product's answer or result is none that the model allows. */
export class Otherwise extends Error {}

function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Otherwise(what)
}

// --- receiving

export type Sent = { token: string; content: Content | null; body: string; secret: string | null }
export type Answer = { status: number; deliveryId: string | null }

/** Returns the webhook of an address, unless whatever is sent there must be refused. */
function hookAt({ hooks, accounts, now }: World, token: string, status: number): Hook | null {
  const hook = hooks.find(({ tokens }) =>
    tokens.some((one) => one.token === token && (one.until === null || one.until > now)),
  )
  const disabledAt = hook ? accounts[hook.accountId]!.disabledAt : null
  const isOff = disabledAt !== null && now - disabledAt > 30 * DAY
  if (!hook) expect(status === 404, `${status} at an address that is none`)
  else if (isOff) expect(status === 403, `${status} of a disabled account`)
  return isOff ? null : (hook ?? null)
}

/** A test of an address needs no proof, and leaves its time alone. */
export function pingHook(world: World, token: string, status: number) {
  const hook = hookAt(world, token, status)
  if (!hook) return
  expect(status === 200, `${status} of a test`)
  hook.lastPingAt = world.now
}

export function receiveDelivery(world: World, { token, content, body, secret }: Sent, { status, deliveryId }: Answer) {
  const { now } = world
  const hook = hookAt(world, token, status)
  if (!hook) return
  const line = { hookId: hook.id, fields: [], made: null, receivedAt: now, key: null }
  if (hook.secret !== null && hook.secret !== secret) {
    expect(status === 401, `${status} without proof`)
    return addDelivery(world, hook, { ...line, id: null, content: null, state: 'failed', reason: UNPROVEN })
  }
  if (content === null) {
    expect(status === 200, `${status} of an unreadable body`)
    return addDelivery(world, hook, { ...line, id: deliveryId, content: null, state: 'failed', reason: UNREADABLE })
  }
  const named = hook.dedupe === null ? undefined : content[hook.dedupe]
  const key = named ? `named ${named}` : body
  const since = now - (named ? 30 : 1) * DAY
  const first = world.deliveries.find((one) => one.hookId === hook.id && one.key === key && one.receivedAt > since)
  if (first) return expect(status === 200 && deliveryId === first.id, `${status} ${deliveryId} for what came again`)
  expect(status === 200, `${status} for what is new`)
  expect(!world.deliveries.some(({ id }) => id === deliveryId), 'something new is answered with something old')
  const off = !hook.enabled
  const reason = off ? 'The webhook was turned off.' : null
  const isUsed = !off && hook.readings.length > 0 && !isLeftOut(hook, read(content))
  const kept = { ...line, id: deliveryId, content, key: isUsed ? key : null }
  addDelivery(world, hook, { ...kept, state: off ? 'ignored' : 'received', reason })
}

const isLeftOut = ({ filter }: Hook, content: Content) => filter !== null && content[filter.from] !== filter.equals

function addDelivery(world: World, hook: Hook, delivery: Delivery) {
  world.deliveries.push(delivery)
  hook.lastReceivedAt = world.now
}

// --- processing

/** The records that the product reports for a delivery; a sale with its lead, which may be new as well. */
export type Made = { id: string | null; leadId: string | null }

/** Applies the end of a delivery that waits to be processed. */
export function processDelivery(world: World, deliveryId: string, made: Made) {
  const delivery = world.deliveries.find(({ id }) => id === deliveryId)
  if (delivery?.state !== 'received') return
  const isReplay = delivery.reason !== null
  const hook = world.hooks.find(({ id }) => id === delivery.hookId)!
  const settle = (state: Delivery['state'], reason: string | null, fields: string[] = [], of: string | null = null) => {
    Object.assign(delivery, { state, reason, fields, made: of })
  }
  if (hook.readings.length === 0) return settle('ignored', 'There’s no mapping yet. Saved as a sample.')
  const content = read(delivery.content!)
  if (hook.filter && isLeftOut(hook, content))
    return settle('ignored', `${hook.filter.path} is not "${hook.filter.equals}".`)
  try {
    const of = makers[hook.target](world, hook, { ...readingsOf(hook, content), made: made.id, madeLead: made.leadId })
    settle(isReplay ? 'replayed' : 'processed', null, [], of)
  } catch (error) {
    if (error instanceof Skipped) return settle('ignored', 'This sale is already refunded.')
    if (!(error instanceof Refused)) throw error
    settle('failed', SAID, error.fields)
  }
}

/** There is nothing to record. */
class Skipped extends Error {}

class Refused extends Error {
  readonly fields: string[]
  constructor(...fields: string[]) {
    super(fields.join())
    this.fields = fields
  }
}

type Read = { values: Record<string, string>; numbers: Record<string, number>; partner: string | null }
type Making = Read & { made: string | null; madeLead: string | null }

/** Amounts by their text, in cents and as whole numbers; null if they are invalid. */
export const amounts: Record<string, { cents: number | null; number: number | null }> = {
  '12.50': { cents: 12_50, number: null },
  '40': { cents: 40_00, number: 40 },
  '$1,000.00': { cents: 1000_00, number: null },
  '7,25 USD': { cents: 7_25, number: null },
  '7,25 EUR': { cents: null, number: null },
  ten: { cents: null, number: null },
  '4\ufffd0': { cents: null, number: null },
  '0.005': { cents: null, number: null },
}

function readingsOf({ readings, match }: Hook, content: Content): Read {
  const values: Record<string, string> = {}
  const numbers: Record<string, number> = {}
  for (const { field, from, transform, fallback } of readings) {
    const text = (transform === 'constant' ? null : content[from]) ?? fallback ?? ''
    if (text === '') continue
    if (transform === 'cents' || transform === 'number') {
      const worth = amounts[text]![transform]
      if (worth === null) throw new Refused(field)
      numbers[field] = worth
    } else values[field] = { lowercase: text.trim().toLowerCase(), trim: text.trim() }[transform] ?? text
  }
  return { values, numbers, partner: (match && content[match.from]?.trim()) || null }
}

const isEmail = (text: string) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

type Maker = (world: World, hook: Hook, making: Making) => string

const makers: Record<Target, Maker> = {
  lead(world, hook, { values, partner, made }) {
    const { externalId = null, firstName = null } = values
    const email = emailOf(values)
    if (!email && !externalId) throw new Refused('email')
    return captured(world, hook.accountId, { email, externalId, firstName, partner: named(world, hook, partner), made })
  },
  sale(world, hook, { values, numbers, partner, made, madeLead }) {
    const { accountId } = hook
    const missing = [...missingOf(values, 'externalId'), ...(numbers.amount === undefined ? ['amount'] : [])]
    if (values.email && !isEmail(values.email)) missing.push('email')
    if (missing.length > 0) throw new Refused(...missing)
    const email = emailOf(values)
    const { leadExternalId = null } = values
    const externalId = values.externalId!
    const isByCode = hook.match?.by === 'referralCode'
    if (!email && !leadExternalId && !(isByCode && partner)) throw new Refused('leadExternalId')
    const known = world.sales.find((one) => one.hookId === hook.id && one.externalId === externalId)
    const isOthers = email && known?.payerEmail && email !== known.payerEmail
    if (known && isOthers && known.amount !== numbers.amount) throw new Refused('externalId')
    if (known) return known.id
    const leads = leadsOf(world, accountId)
    const ofEmail = leads.filter((lead) => email !== null && lead.email === email)
    const found =
      (leadExternalId && leads.find((lead) => lead.externalId === leadExternalId && !isOther(lead, email))) ||
      ofEmail.find(({ status }) => ['new', 'qualified', 'won', 'lost'].includes(status)) ||
      (!(isByCode && partner) && ofEmail.find(({ status }) => status === 'rejected')) ||
      null
    const to = named(world, hook, partner)
    let lead = found
    // its earlier sales stay without a partner
    if (lead && !lead.partnerId && lead.status !== 'rejected' && to) lead.partnerId = to
    if (!lead) {
      const id = captured(world, accountId, {
        ...{ email, externalId: leadExternalId, firstName: null, partner: to },
        made: madeLead,
      })
      lead = world.leads.find((one) => one.id === id)!
    }
    expect(made !== null && !world.sales.some(({ id }) => id === made), 'a new sale was expected')
    const isRejected = lead.status === 'rejected'
    const sold = {
      accountId,
      hookId: hook.id,
      externalId,
      leadId: lead.id,
      partnerId: isRejected ? null : lead.partnerId,
    }
    world.sales.push({ ...sold, id: made, payerEmail: email, amount: numbers.amount!, refunded: 0 })
    if (!isRejected) Object.assign(lead, { status: 'won', duplicateOfId: null })
    return made
  },
  refund(world, { accountId }, { values, numbers, made }) {
    const missing = missingOf(values, 'externalId', 'saleExternalId')
    if (missing.length > 0) throw new Refused(...missing)
    const { externalId, saleExternalId } = values as { externalId: string; saleExternalId: string }
    const [sale, ...others] = world.sales.filter(
      (one) => one.accountId === accountId && one.externalId === saleExternalId,
    )
    if (!sale || others.length > 0) throw new Refused('saleExternalId')
    const known = world.refunds.find((one) => one.saleId === sale.id && one.externalId === externalId)
    if (known) return known.id
    const left = sale.amount - sale.refunded
    if (left === 0) throw new Skipped()
    const { amount = left } = numbers
    if (amount > left) throw new Refused('amount')
    expect(made !== null && !world.refunds.some(({ id }) => id === made), 'a new refund was expected')
    world.refunds.push({ id: made, accountId, externalId, saleId: sale.id, amount })
    sale.refunded += amount
    follow(world, world.leads.find(({ id }) => id === sale.leadId)!)
    return made
  },
  'lead-status'(world, { accountId }, { values }) {
    const { leadExternalId, email, status, reason } = values
    const isOf = ({ externalId, ...lead }: Lead) =>
      externalId === leadExternalId && isOther(lead, email?.toLowerCase() ?? null)
    const byId = leadExternalId && !leadsOf(world, accountId).some(isOf)
    const lead = leadsOf(world, accountId)
      .filter((one) => one.status !== 'duplicate')
      .filter((one) => (byId ? one.externalId === leadExternalId : email && one.email === email.toLowerCase()))
      .at(-1)
    if (!lead) throw new Refused(leadExternalId ? 'leadExternalId' : 'email')
    changeStatus(lead, status?.toLowerCase(), reason)
    return lead.id
  },
}

const missingOf = (values: Record<string, string>, ...fields: string[]) => fields.filter((field) => !values[field])

function emailOf({ email }: Record<string, string>) {
  if (email !== undefined && !isEmail(email)) throw new Refused('email')
  return email?.toLowerCase() ?? null
}

/** The oldest first. */
const leadsOf = (world: World, accountId: string) =>
  world.leads
    .filter((lead) => lead.accountId === accountId)
    .sort((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1))

/** Returns the partner named by a payload, if that partner can get new credit. */
function named({ partners }: World, { accountId, match }: Hook, said: string | null) {
  if (!match || !said) return null
  const of = { referralCode: 'code', email: 'email', id: 'id' } as const
  // the reader of codes leaves out the sign of an unreadable character
  const value = match.by === 'referralCode' ? said.replace('\ufffd', '') : said
  const found = partners.find((one) => one.accountId === accountId && one[of[match.by]] === value.toLowerCase())
  return found?.state === 'active' ? found.id : null
}

type Submitted = {
  email: string | null
  externalId: string | null
  firstName: string | null
  partner: string | null
  made: string | null
}

/** Whether an email is another person's than the lead's, whatever else they share. */
const isOther = (lead: Pick<Lead, 'email'>, email: string | null) =>
  lead.email !== null && email !== null && lead.email !== email

/** Returns the lead of a submission: a known or a new one; another partner's registration is stored as a duplicate. */
function captured(world: World, accountId: string, given: Submitted): string {
  const { email, firstName, partner, made } = given
  const leads = leadsOf(world, accountId)
  const hasSales = ({ id }: Lead) => world.sales.some(({ leadId }) => leadId === id)
  const owner = given.externalId === null ? undefined : leads.find((lead) => lead.externalId === given.externalId)
  const byId = owner && isOther(owner, email) ? undefined : owner
  const externalId = owner && !byId ? null : given.externalId
  const like = leads.filter((lead) => email !== null && lead.email === email && lead.status !== 'duplicate')
  const isOpen = (lead: Lead) => lead.partnerId === partner || !lead.partnerId || !partner
  const lead =
    byId ??
    like.find((one) => ['won', 'new', 'qualified', 'lost'].includes(one.status) || hasSales(one)) ??
    like.find((one) => one.status === 'rejected' && isOpen(one))
  if (lead && (byId || isOpen(lead))) {
    if (email) lead.email = email
    if (firstName) lead.firstName = firstName
    lead.externalId ??= externalId
    if (!hasSales(lead)) lead.partnerId ??= partner
    return lead.id
  }
  const earlier = lead && leads.find((one) => one.duplicateOfId === lead.id && one.partnerId === partner)
  if (earlier) return earlier.id
  expect(made !== null && !world.leads.some(({ id }) => id === made), 'a new lead was expected')
  world.leads.push({
    ...{ id: made, accountId, email, externalId, firstName, partnerId: partner, createdAt: world.now },
    ...{ status: lead ? 'duplicate' : 'new', duplicateOfId: lead?.id ?? null },
  })
  return made
}

/** Updates a lead: it is won as long as its sales are not refunded entirely. */
function follow(world: World, lead: Lead) {
  const isWon = world.sales.some((sale) => sale.leadId === lead.id && sale.refunded < sale.amount)
  if (lead.status === 'rejected') return
  if (isWon) Object.assign(lead, { status: 'won', duplicateOfId: null })
  else if (lead.status === 'won') lead.status = 'qualified'
}

const nextOf: Record<string, string[]> = {
  new: ['qualified', 'lost', 'rejected'],
  qualified: ['lost', 'rejected'],
  lost: ['new', 'qualified'],
  rejected: ['new', 'qualified'],
}
const STATUSES = ['new', 'qualified', 'won', 'lost', 'rejected', 'expired', 'duplicate']

function changeStatus(lead: Lead, status = '', reason = '') {
  if (!STATUSES.includes(status)) throw new Refused('status')
  if (['lost', 'rejected'].includes(status) && reason !== 'not-a-fit') throw new Refused('reason')
  if (status === lead.status) return
  if (!nextOf[lead.status]?.includes(status)) throw new Refused()
  if (['lost', 'rejected'].includes(lead.status) && !reason) throw new Refused('reason')
  lead.status = status
}

// --- actions of owners

export function replayDeliveries(
  world: World,
  hookId: string,
  deliveryIds: (string | null)[] | 'failed',
  answered: number | null,
) {
  const hook = world.hooks.find(({ id }) => id === hookId)
  if (!hook?.enabled) return expect(answered === null, 'replayed at a webhook that is off or gone')
  const opened = world.deliveries.filter(
    (one) =>
      one.hookId === hookId &&
      one.content !== null &&
      (deliveryIds === 'failed'
        ? one.state === 'failed'
        : deliveryIds.includes(one.id) && ['failed', 'ignored'].includes(one.state)),
  )
  if (deliveryIds !== 'failed' && opened.length === 0) return expect(answered === null, 'replayed what cannot be')
  expect(answered === opened.length, `${answered} replayed, not ${opened.length}`)
  for (const one of opened) Object.assign(one, { state: 'received', reason: 'Replayed', fields: [] })
}

export function removeHook(world: World, hookId: string) {
  world.hooks = world.hooks.filter(({ id }) => id !== hookId)
  world.deliveries = world.deliveries.filter((one) => one.hookId !== hookId)
}

/** Deletes a lead without sales; its oldest duplicate replaces it, unless another lead has their person by now. */
export function removeLead(world: World, leadId: string, isGone: boolean) {
  const lead = world.leads.find(({ id }) => id === leadId)
  const may = lead !== undefined && !world.sales.some((sale) => sale.leadId === leadId)
  expect(isGone === may, isGone ? 'a lead with sales was deleted' : 'a lead without sales was not deleted')
  if (!may) return
  world.leads = world.leads.filter(({ id }) => id !== leadId)
  const [first, ...others] = leadsOf(world, lead.accountId).filter((one) => one.duplicateOfId === leadId)
  if (!first) return
  const hasSales = ({ id }: Lead) => world.sales.some((sale) => sale.leadId === id)
  const holder = leadsOf(world, lead.accountId).find(
    (one) =>
      first.email !== null &&
      one.email === first.email &&
      (['won', 'new', 'qualified', 'lost'].includes(one.status) || (one.status !== 'duplicate' && hasSales(one))),
  )
  if (!holder) Object.assign(first, { status: 'new', duplicateOfId: null })
  for (const other of holder ? [first, ...others] : others) other.duplicateOfId = (holder ?? first).id
}

export function deleteOldDeliveries(world: World) {
  world.deliveries = world.deliveries.filter(({ receivedAt }) => receivedAt >= world.now - 30 * DAY)
}
