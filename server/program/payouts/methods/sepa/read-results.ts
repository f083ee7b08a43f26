import type { FileFormat, XmlTree } from '../method.ts'
import { isOurs, type ReportRow } from './bank-result.ts'
import { readAccount } from './camt.ts'
import { isMt940, readMt940 } from './mt940.ts'
import { readStatusReport } from './pain002.ts'
import { childrenNamed } from './xml-tree.ts'

// A bank's reports are read by local element names, in any version: pain.002 on orders; camt.052, camt.053, camt.054 and
// MT940 on an account. Bookings that name nothing of ours are about other business and are left out.

/** How the message in a document is read; the first versions put a version behind its name. */
const messages: [name: string, read: (message: XmlTree) => ReportRow[]][] = [
  ['CstmrPmtStsRpt', readStatusReport],
  ['BkToCstmrAcctRpt', (report) => childrenNamed(report, 'Rpt').flatMap(readAccount)],
  ['BkToCstmrStmt', (statement) => childrenNamed(statement, 'Stmt').flatMap(readAccount)],
  ['BkToCstmrDbtCdtNtfctn', (notification) => childrenNamed(notification, 'Ntfctn').flatMap(readAccount)],
]

/** Reads a bank's report, or several; null if it is none. */
export const readResults: FileFormat['read'] = (file) => {
  const found: (ReportRow & { part: number })[] = []
  if ('text' in file) {
    if (!isMt940(file.text)) return null
    found.push(...readMt940(file.text).map((one) => ({ ...one, part: 0 })))
  } else if ('documents' in file) {
    for (const [part, document] of file.documents.entries()) {
      const results = messages.flatMap(([name, read]) =>
        [name, `${name}V01`].flatMap((one) => childrenNamed(document, one).slice(0, 1).map(read)),
      )[0]
      if (!results) return { wrong: 'results_not_readable', field: 'file' }
      for (const one of results) found.push({ ...one, part })
    }
  } else return null
  return found.filter(isOurs).map((result, index) => ({ row: index + 1, ...result }))
}
