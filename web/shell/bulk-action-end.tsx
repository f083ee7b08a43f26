import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type BulkAction, downloadBulkActionRefusals, subjectsOfAction } from '#contract/bulk-actions.ts'
import { isNotFound } from '../api.ts'
import { useRefresh } from '../calls.ts'
import { bulkActionQuery, unfollowAction, useBulkAction, type useFollowed } from '../shared/bulk-actions.ts'
import { DownloadButton } from '../ui/DownloadButton.tsx'
import { downloadFile } from '../ui/download.ts'
import { Refused } from '../ui/Refused.tsx'
import { showToast } from '../ui/toasts.ts'
import { bulkActionWords } from '../words/bulk-actions.ts'
import { formWords } from '../words/forms.ts'
import { toastWords } from '../words/shell.ts'

type FollowedProps = ReturnType<typeof useFollowed>[number] & { onRefused: (ended: BulkAction) => void }

/** Reports the end of one action. */
function Followed({ id, accountId, ids, onRefused }: FollowedProps) {
  const { data, error } = useQuery(bulkActionQuery({ accountId, id }))
  const refresh = useRefresh()
  const { start } = useBulkAction(accountId)
  const isShown = useRef(false)
  useEffect(() => {
    if (isNotFound(error)) unfollowAction(id)
    if (!data || data.state === 'running' || isShown.current) return
    isShown.current = true
    const refusedIds = data.refusals.map((one) => one.id)
    const changed = ids?.slice(0, data.done + data.refused).filter((one) => !refusedIds.includes(one))
    const isUndoable = data.action === 'suspend-partners' && changed?.length === data.done
    const action = { label: toastWords.undo, run: () => start({ action: 'activate-partners', ids: changed ?? [] }) }
    for (const words of bulkActionWords.done(data)) showToast(words, isUndoable ? { action } : {})
    if (data.refused > 0) {
      const show = () => onRefused(data)
      // a dialog would interrupt work on another screen
      if (ids) show()
      else showToast(headingOf(data), { failed: true, action: { label: formWords.show, run: show } })
    }
    void refresh()
    unfollowAction(id)
  })
  return null
}

const headingOf = ({ action, refused: count }: BulkAction) =>
  bulkActionWords.refused[action === 'remind-partners' ? 'reminders' : subjectsOfAction[action]]({ count })

type RefusalsProps = { of: BulkAction; onClose: () => void }

/** The refusals of an action with their reasons, and the file of them all. */
function Refusals({ of, onClose }: RefusalsProps) {
  const { refused, refusals } = of
  return (
    <Refused
      heading={headingOf(of)}
      refused={refusals.map(({ id, name, error }) => ({
        key: id,
        name: name ?? id,
        why: error.message,
      }))}
      download={
        <DownloadButton
          fallback="refusals.csv"
          load={() => downloadFile(downloadBulkActionRefusals, { params: { id: of.accountId, bulkActionId: of.id } })}
        >
          {bulkActionWords.download}
        </DownloadButton>
      }
      more={refused > refusals.length ? bulkActionWords.more({ count: refused - refusals.length }) : undefined}
      onClose={onClose}
    />
  )
}

export const bulkActionEnd = { Followed, Refusals }
