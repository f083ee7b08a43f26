import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { createSale } from '#contract/sales.ts'
import { LeadField } from '../../shared/LeadPicker.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { basicWords } from '../../words/basic.ts'
import { labelWords } from '../../words/fields.ts'
import { saleWords } from '../../words/leads.ts'
import { dialogWords } from '../../words/pieces.ts'
import { pageWords } from '../../words/shell.ts'

/** Asks for the lead of a new sale, then opens the form on that lead. */
export function AddSale({ accountId }: { accountId: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        look="primary"
        needs={createSale}
        icon={<PlusIcon size={16} />}
        data-shortcut="n"
        onClick={() => setOpen(true)}
      >
        {pageWords.addSale}
      </Button>
      {open && <ChooseLead accountId={accountId} onClose={() => setOpen(false)} />}
    </>
  )
}

function ChooseLead({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const router = useRouter()
  const [leadId, choose] = useState<string | null>(null)
  return (
    <Dialog heading={pageWords.addSale} onClose={onClose}>
      <LeadField
        id="new-sale-lead"
        name="leadId"
        label={labelWords.lead}
        onBlur={() => undefined}
        accountId={accountId}
        value={leadId}
        placeholder={saleWords.new.chooseLead}
        help={saleWords.new.leadHelp}
        onChange={choose}
      />
      <DialogActions>
        <Button
          look="primary"
          cannot={leadId === null && basicWords.rules.required({ label: labelWords.lead })}
          onClick={() => leadId && router.navigate({ to: '/leads/$leadId/new-sale', params: { leadId } })}
        >
          {saleWords.new.next}
        </Button>
        <Button onClick={onClose}>{dialogWords.cancel}</Button>
      </DialogActions>
    </Dialog>
  )
}
