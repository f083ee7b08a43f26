import { timeSpan } from '../span.ts'
import { spanOfWork } from '../work-context.ts'

const MOST_CHARACTERS = 2000

/** Sends a statement, as a span of its request or job if that is traced: with its text, without values. */
export function timeStatement<T>(text: string, send: () => Promise<T>): Promise<T> {
  const span = spanOfWork()
  if (!span) return send()
  const statement = text.replace(/\s+/g, ' ').trim()
  const facts = { 'db.system.name': 'postgresql', 'db.query.text': statement.slice(0, MOST_CHARACTERS) }
  return timeSpan(span.part('asked', summaryOf(statement), facts), send)
}

/** Summarizes: 'select leads', 'insert sales', 'commit'. */
function summaryOf(text: string) {
  const [verb = ''] = /^\w+/.exec(text) ?? []
  const table = /\b(?:from|into|update)\s+([\w.]+)/i.exec(text)?.[1]
  return table ? `${verb} ${table}` : verb
}
