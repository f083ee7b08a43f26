import { useQuery } from '@tanstack/react-query'
import { formatDateRange, formatLongDateTime } from '../../format.ts'
import { ImportProgress } from '../../shared/ImportProgress.tsx'
import { useAccount } from '../../shell/current.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { importWords } from '../../words/imports.ts'
import { isOfFile } from './fields.ts'
import { earlierImports } from './queries.ts'
import { UndoImport } from './UndoImport.tsx'

/** Earlier and running imports, with a way to undo them. */
export function EarlierImports({ accountId }: { accountId: string }) {
  const { timeZone } = useAccount()
  const answer = useQuery(earlierImports(accountId))
  const { data } = answer
  const imports = data?.items.filter(({ dryRun }) => !dryRun) ?? []
  return (
    <Panel heading={importWords.earlier}>
      {!data && <Pending answer={answer} rows={2} />}
      {data && imports.length === 0 && <p className="inset muted">{importWords.none}</p>}
      <ul className="items">
        {imports.map((one) => (
          <li key={one.id} className="stack gap-2">
            <div className="row gap-3">
              <strong>{importWords.kinds[one.kind]}</strong>
              {one.from && one.to && <span>{formatDateRange(one.from, one.to)}</span>}
              <span className="muted">{formatLongDateTime(one.createdAt, timeZone)}</span>
            </div>
            <ImportProgress imported={one} label={importWords.importing}>
              {isOfFile(one.kind) && <UndoImport imported={one} kind={one.kind} />}
            </ImportProgress>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
