import { useState } from 'react'
import { startRehearsal } from '#features/rehearsals/contract.ts'
import { Button } from '../ui/Button.tsx'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { shellWords } from '../words/shell.ts'

const PlayThroughDialog = lazyComponent(async () => (await import('./PlayThroughDialog.tsx')).PlayThroughDialog)

/** Plays a sale through the account's real setup and shows the result of each step. */
export function PlayThrough({ accountId }: { accountId: string }) {
  const [open, setOpen] = useState(false)
  PlayThroughDialog.usePrefetch()
  return (
    <>
      <Button needs={startRehearsal} onClick={() => setOpen(true)}>
        {shellWords.playThrough}
      </Button>
      {open && <PlayThroughDialog accountId={accountId} onClose={() => setOpen(false)} />}
    </>
  )
}
