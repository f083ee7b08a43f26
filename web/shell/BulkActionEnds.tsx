import { useState } from 'react'
import type { BulkAction } from '#contract/bulk-actions.ts'
import { useFollowed } from '../shared/bulk-actions.ts'
import { lazyComponent } from '../ui/lazy-part.tsx'

const bulkActionEnd = async () => (await import('./bulk-action-end.tsx')).bulkActionEnd
const Followed = lazyComponent(async () => (await bulkActionEnd()).Followed, { late: true })
const Refusals = lazyComponent(async () => (await bulkActionEnd()).Refusals)

/** Reports the end of each followed action, on any screen. */
export function BulkActionEnds({ accountId }: { accountId: string }) {
  const [refused, setRefused] = useState<BulkAction | null>(null)
  return (
    <>
      {useFollowed(accountId).map((followed) => (
        <Followed key={followed.id} {...followed} onRefused={setRefused} />
      ))}
      {refused && <Refusals of={refused} onClose={() => setRefused(null)} />}
    </>
  )
}
