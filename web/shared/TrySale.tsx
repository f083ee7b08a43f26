import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listPartners } from '#contract/partners.ts'
import { previewCommission } from '#contract/sales.ts'
import { listQuery } from '../calls.ts'
import { Button } from '../ui/Button.tsx'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { termsWords } from '../words/terms.ts'
import type { TermsAccount, TermsValue } from './terms.ts'

const TrySaleDialog = lazyComponent(async () => (await import('./TrySaleDialog.tsx')).TrySaleDialog)

type Props = {
  account: TermsAccount
  terms: TermsValue
  /** The partner who has the terms; for others' terms, one is chosen. */
  partnerId?: string | undefined
}

/** A button that tries a sale with terms that are not saved; nothing while the account has no partner who could earn. */
export function TrySale({ account, terms, partnerId }: Props) {
  const [open, setOpen] = useState(false)
  const first = useQuery({
    ...listQuery(listPartners, { params: { id: account.id }, search: { limit: 1, sort: 'name' } }),
    enabled: partnerId === undefined,
  }).data?.items[0]?.id
  const referrer = partnerId ?? first
  if (!referrer) return null
  return (
    <>
      <Button small needs={previewCommission} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {termsWords.trySale}
      </Button>
      <TrySaleDialog.OnUse />
      {open && (
        <TrySaleDialog
          account={account}
          terms={terms}
          referrer={referrer}
          chooses={partnerId === undefined}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
