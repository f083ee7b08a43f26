import { useState } from 'react'
import type { Sale } from '#contract/sales.ts'
import { later } from '../../ui/later.tsx'

export type SaleAct = 'refund' | 'void' | 'release' | 'rate' | 'match' | 'describe'

const SaleDialog = later(async () => (await import('./SaleActions.tsx')).SaleDialog)

/** Opens the dialog of what is to be done with a sale; `dialog` stands in the screen. */
export function useSaleActs() {
  const [open, setOpen] = useState<{ act: SaleAct; sale: Sale } | null>(null)
  return {
    start: (act: SaleAct, sale: Sale) => setOpen({ act, sale }),
    dialog: (
      <>
        <SaleDialog.OnUse />
        {open && <SaleDialog {...open} onClose={() => setOpen(null)} />}
      </>
    ),
  }
}
