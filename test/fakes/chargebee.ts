import { type ChargebeeStore, emptySite } from './chargebee-events.ts'
import { type Answer, type Call, type Fields, startServer } from './server.ts'

type List = keyof ChargebeeStore

/** The filters of each list, and the fields by which it can be sorted. */
const lists: Record<List, { name: string; filters: string[]; sorts: string[] }> = {
  transactions: {
    ...{ name: 'transaction', filters: ['id', 'customer_id', 'type', 'status', 'date', 'updated_at'] },
    sorts: ['date', 'updated_at'],
  },
  invoices: {
    ...{ name: 'invoice', filters: ['id', 'customer_id', 'subscription_id', 'status', 'date', 'updated_at'] },
    sorts: ['date', 'updated_at'],
  },
  customers: {
    ...{ name: 'customer', filters: ['id', 'email', 'created_at', 'updated_at'] },
    sorts: ['created_at', 'updated_at'],
  },
  subscriptions: {
    ...{ name: 'subscription', filters: ['id', 'customer_id', 'status', 'created_at', 'updated_at'] },
    sorts: ['created_at', 'updated_at'],
  },
}

const refuse = (status: number, api_error_code: string, message: string, more: Fields = {}): Answer => ({
  status,
  body: { message, type: 'invalid_request', api_error_code, error_code: api_error_code, error_msg: message, ...more },
})
const wrong = (param: string, message: string) => refuse(400, 'param_wrong_value', `${param} : ${message}`, { param })

type Options = { site?: string; key?: string; pageSize?: number }

/** A Chargebee site on loopback, which a read-only key reads; fill it with `chargebeeBill({ store })`. */
export async function standInChargebee(options: Options = {}) {
  const { site = 'acme-test', pageSize = 100 } = options
  let apiKey = options.key ?? 'test_AcdReadOnlyKeyOfTheStandIn01'
  const store = emptySite()
  const forbidden = new Set<string>()
  /** The question and the position of each offset handed out. */
  const offsets = new Map<string, { question: string; from: number }>()

  const server = await startServer((call) => {
    const expected = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`
    if (call.headers.authorization !== expected)
      return refuse(401, 'api_authentication_failed', 'Sorry, authentication failed. Invalid api key')
    if (call.method !== 'GET')
      return refuse(403, 'api_authorization_failed', 'Sorry, the key has no access to this operation.')
    const [, list = '', id] = /^\/api\/v2\/([a-z_]+)(?:\/([^/]+))?$/.exec(call.path) ?? []
    if (!Object.hasOwn(lists, list)) return refuse(404, 'site_not_found', 'The path is wrong.')
    if (forbidden.has(list)) return refuse(403, 'api_authorization_failed', `Sorry, the key has no access to ${list}.`)
    if (id === undefined) return pageOf(call, list as List)
    const found = store[list as List].get(decodeURIComponent(id))
    return found
      ? { status: 200, body: shown(list as List, found) }
      : refuse(404, 'resource_not_found', `${decodeURIComponent(id)} not found`, { param: 'id' })
  })

  /** A subscription comes with its customer. */
  const shown = (list: List, row: Fields): Fields => ({
    [lists[list].name]: row,
    ...(list === 'subscriptions' && { customer: store.customers.get(String(row.customer_id)) }),
  })

  function pageOf({ query }: Call, list: List): Answer {
    const { limit = '10', offset, include_deleted, sort_by = {}, ...filters } = query
    const { filters: known, sorts } = lists[list]
    const most = Number(limit)
    if (!Number.isInteger(most) || most < 1 || most > 100) return wrong('limit', 'value should be between 1 and 100')
    const strange = Object.keys(filters).find((field) => !known.includes(field))
    if (strange) return refuse(400, 'invalid_request', `${strange} : unknown parameter`, { param: strange })
    const [[direction, field] = ['asc', sorts[0]!]] = Object.entries(sort_by as Record<string, string>)
    if (!['asc', 'desc'].includes(direction) || !sorts.includes(field)) return wrong('sort_by', 'is not a field')
    const tests: ((row: Fields) => boolean)[] = [(row) => include_deleted === 'true' || row.deleted !== true]
    for (const [name, by] of Object.entries(filters as Record<string, Record<string, string>>))
      for (const [operator, value] of Object.entries(by)) {
        const found = testOf(name, operator, value)
        if (!found) return wrong(`${name}[${operator}]`, 'invalid value')
        tests.push(found)
      }
    const question = JSON.stringify([list, filters, include_deleted, sort_by, most])
    const page = offset ? offsets.get(String(offset)) : { question, from: 0 }
    if (page?.question !== question) return wrong('offset', 'invalid value')
    const rows = [...store[list].values()].filter((row) => tests.every((test) => test(row)))
    const sorted = rows.toSorted((a, b) => (Number(a[field]) - Number(b[field])) * (direction === 'asc' ? 1 : -1))
    const until = page.from + Math.min(most, pageSize)
    const body: Fields = { list: sorted.slice(page.from, until).map((row) => shown(list, row)) }
    if (sorted.length > until) {
      body.next_offset = JSON.stringify([String(sorted[until]![field]), String(offsets.size + 1)])
      offsets.set(String(body.next_offset), { question, from: until })
    }
    return { status: 200, body }
  }

  return {
    ...server,
    site,
    store,
    /** The owner's input but for the password. */
    get credentials() {
      return { site, apiKey }
    },
    /** Creates a new key; the former one is refused from now on. */
    rollKey() {
      apiKey = `${apiKey}0`
      return apiKey
    },
    forbid: (list: string) => void forbidden.add(list),
    allow: (list: string) => void forbidden.delete(list),
    clear() {
      for (const rows of Object.values(store)) rows.clear()
    },
  }
}

/** Returns the test of a filter; null if it is none. */
function testOf(name: string, operator: string, value: string): ((row: Fields) => boolean) | null {
  if (operator === 'is') return (row) => String(row[name]) === value
  if (operator === 'after' || operator === 'before') {
    if (!/^\d{1,10}$/.test(value)) return null
    return (row) => (operator === 'after' ? Number(row[name]) > Number(value) : Number(row[name]) < Number(value))
  }
  if (operator !== 'in') return null
  try {
    const values: unknown = JSON.parse(value)
    return Array.isArray(values) ? (row) => values.includes(row[name]) : null
  } catch {
    return null
  }
}
