import { addLeadNote, changeLeadStatus, type Lead } from '#contract/leads.ts'
import { reassignLead } from '#contract/sales.ts'
import type { Selection } from '../../lists/selection.ts'
import { useAccount } from '../../shell/current.ts'
import { lazyActions } from '../../ui/late-acts.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { leadWords } from '../../words/leads.ts'
import { movesFrom } from './moves.ts'

const { changeStatus, reassign, addNote } = lazyActions(async () => (await import('./ActOnMany.tsx')).actsOnMany, {
  changeStatus: {
    label: leadWords.actions.changeStatus,
    needs: changeLeadStatus,
    cannot: ({ from }) => from.every((status) => movesFrom(status).length === 0) && leadWords.bulk.noneMoves,
  },
  reassign: { label: leadWords.actions.reassign, needs: reassignLead },
  addNote: { label: leadWords.actions.addNote, needs: addLeadNote },
})

/** The account’s actions on several leads at once, for the table's bar. */
export function BulkActs({ rows, clear }: Selection<Lead>) {
  const { id: accountId } = useAccount()
  const many = { accountId, ids: rows.map(({ id }) => id), onStarted: clear }
  return (
    <>
      <ActButton small act={changeStatus} of={{ ...many, from: rows.map(({ status }) => status) }} />
      <ActButton small act={reassign} of={many} />
      <ActButton small act={addNote} of={many} />
    </>
  )
}
