import * as contract from '#contract/accounting.ts'
import { readAsMarked } from '../access/read-as-marked.ts'
import { type App, route } from '../access/route.ts'
import { answerCsv, routeCsv } from '../access/route-csv.ts'
import { journalFile, readJournalRange } from './journal.ts'
import { listLiability, readDay } from './liability.ts'

export function booksRoutes(app: App) {
  route(app, contract.listLiability, ({ db, access: { account }, params, query }) =>
    listLiability(db, account, readDay(params.day, account, db.now), query),
  )

  routeCsv(app, contract.downloadLiability, ({ db, access: { account }, params }, query) =>
    listLiability(db, account, readDay(params.day, account, db.now), query),
  )

  route(app, contract.downloadJournal, (call) => {
    const { services, access, params, query } = call
    const range = readJournalRange(params.range)
    // in pieces, each read like the list
    const { account } = access
    const lines = journalFile((work) => readAsMarked(services, contract.listLiability, account.id, work), account, {
      range,
      detail: query.detail,
    })
    return answerCsv(call, 'journal', lines)
  })
}
