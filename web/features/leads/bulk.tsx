import type { ReactNode } from 'react'
import { addLeadNote, changeLeadStatus, type Lead } from '#contract/leads.ts'
import { reassignLead } from '#contract/sales.ts'
import type { Selection } from '../../lists/selection.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useActs } from '../../ui/useActs.tsx'
import { leadWords } from '../../words/leads.ts'
import { movesFrom } from './moves.ts'

const actsOnMany = async () => (await import('./ActOnMany.tsx')).actsOnMany
const ChangeStatus = lazyPart(async () => (await actsOnMany()).ChangeStatus)
const Reassign = lazyPart(async () => (await actsOnMany()).Reassign)
const AddNote = lazyPart(async () => (await actsOnMany()).AddNote)

/** The account’s actions on several leads at once: `buttons` go into the table's bar, `dialog` into the screen. */
export function useBulkActions({ rows, clear }: Selection<Lead>): { buttons: ReactNode; dialog: ReactNode } {
  const { start, dialog } = useActs()
  const { id: accountId } = useAccount()
  const many = { accountId, ids: rows.map(({ id }) => id), onStarted: clear }
  const from = rows.map(({ status }) => status)
  const buttons = (
    <>
      <ChangeStatus.OnUse />
      <Reassign.OnUse />
      <AddNote.OnUse />
      <Button
        small
        needs={changeLeadStatus}
        cannot={from.every((status) => movesFrom(status).length === 0) && leadWords.bulk.noneMoves}
        onClick={() => start(ChangeStatus, { ...many, from })}
      >
        {leadWords.actions.changeStatus}
      </Button>
      <Button small needs={reassignLead} onClick={() => start(Reassign, many)}>
        {leadWords.actions.reassign}
      </Button>
      <Button small needs={addLeadNote} onClick={() => start(AddNote, many)}>
        {leadWords.actions.addNote}
      </Button>
    </>
  )
  return { buttons, dialog }
}
