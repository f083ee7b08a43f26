import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import {
  createPaymentFile,
  downloadPaymentFile,
  type FileMethod,
  type FilePreview,
  LEFT_OUT,
  type NewPaymentFile,
  type PaymentFile,
} from '#contract/payment-files.ts'
import { CallError, fetchReply } from '../../api.ts'
import { isOutdated, useRefresh } from '../../calls.ts'
import { formatDate, todayIn } from '../../format.ts'
import { payoutMethodsQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { downloadFile } from '../../ui/download.ts'
import { DateField, SelectField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Skeleton } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { showToast } from '../../ui/toasts.ts'
import { useSend } from '../../ui/use-form.ts'
import { fileWords } from '../../words/payment-files.ts'
import { payoutWords } from '../../words/payouts.ts'
import { dialogWords } from '../../words/pieces.ts'
import { PayoutRow, PayoutRows } from './PayoutRows.tsx'
import { filePreviewQuery, payoutsForFileQuery } from './queries.ts'
import { LeftOut, Sums } from './ReviewApproval.tsx'

type Props = { accountId: string; onMade: (fileId: string) => void; onClose: () => void }

/** The file of each payout method that has one. */
const filesOf: Partial<Record<string, FileMethod>> = { sepa: 'sepa', wise: 'csv' }

/** Approves due payouts by putting them into a file for a bank or for Wise, and downloads it. */
export function MakeFile({ accountId, onMade, onClose }: Props) {
  const { data } = useQuery(payoutMethodsQuery(accountId))
  if (!data)
    return (
      <Dialog heading={payoutWords.makeFile} onClose={onClose}>
        <Skeleton rows={3} />
      </Dialog>
    )
  const methods = data.methods.flatMap(({ name, on }) => (on ? (filesOf[name] ?? []) : []))
  if (methods.length > 0) return <Choose accountId={accountId} methods={methods} onMade={onMade} onClose={onClose} />
  return (
    <Dialog heading={payoutWords.makeFile} onClose={onClose}>
      <Message
        kind="info"
        action={
          <Link to="/account/settings" search={{ tab: 'payouts' }}>
            {payoutWords.blockers.openSettings}
          </Link>
        }
      >
        {fileWords.notSetUp}
      </Message>
    </Dialog>
  )
}

function Choose({ accountId, methods, onMade, onClose }: Props & { methods: readonly FileMethod[] }) {
  const { timeZone } = useAccount()
  const [method, setMethod] = useState(methods[0]!)
  const [day, setDay] = useState('')
  const file = { method, all: true as const, ...(method === 'sepa' && day && { executionDate: day }) }
  const preview = useQuery(filePreviewQuery(accountId, file))
  const { data: list, isFetching } = useQuery({ ...payoutsForFileQuery(accountId, method), staleTime: 0 })
  const { busy, error, send } = useMaking(accountId, (made) => {
    onClose()
    onMade(made)
  })
  const id = useId()
  const { data } = preview
  const excluded = new Set(data?.excluded.map((one) => one.id))
  const own = list?.items.filter((payout) => filesOf[payout.method] === method) ?? []
  const inside = own.filter((payout) => !excluded.has(payout.id))
  // of a row that is shown, as it is shown
  const rows = new Map(inside.map((payout) => [payout.id, payout]))
  const shown = data?.payouts.map(({ id, ...preview }) => {
    const { amount, payAmount, detailsVersion } = rows.get(id) ?? preview
    return { id, amount, payAmount, detailsVersion }
  })
  const still = { onBlur: () => undefined }
  return (
    <Dialog heading={payoutWords.makeFile} onClose={onClose} busy={busy} wide>
      <div className="stack">
        {methods.length > 1 && (
          <SelectField
            id={`${id}-method`}
            name="method"
            label={fileWords.method}
            value={method}
            choices={methods.map((value) => ({ value, label: fileWords.methods[value] }))}
            onChange={(value) => value && setMethod(value as FileMethod)}
            {...still}
          />
        )}
        <p>{fileWords.text[method]}</p>
        {method === 'sepa' && (
          <DateField
            id={`${id}-day`}
            name="executionDate"
            label={fileWords.executionDate}
            help={data?.executionDate ? dayInWords(data, day) : fileWords.executionDateHelp}
            optional
            min={todayIn(timeZone)}
            value={day}
            onChange={setDay}
            {...still}
          />
        )}
        {!data && <Pending answer={preview} rows={4} />}
        {data && (
          <>
            <Sums preview={data} currency={list?.totals.currency ?? own[0]?.currency ?? 'eur'} />
            {data.count === 0 && <p>{fileWords.nothing}</p>}
            {data.count > 0 && (
              <PayoutRows label={fileWords.rows}>
                {inside.map((payout) => (
                  <PayoutRow key={payout.id} payout={payout} />
                ))}
                {data.count > inside.length && <li>{fileWords.more({ count: data.count - inside.length })}</li>}
              </PayoutRows>
            )}
            <LeftOut preview={data} payouts={own} />
          </>
        )}
      </div>
      {error && <Message kind="error">{explainRefusal(error)}</Message>}
      <DialogActions>
        <Button
          look="primary"
          busy={busy}
          disabled={!data || data.count === 0 || preview.isFetching || isFetching || busy}
          onClick={() => void send({ ...file, shown })}
        >
          {fileWords.approve}
        </Button>
        <Button data-first-focus disabled={busy} onClick={onClose}>
          {dialogWords.cancel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Says which day the file would ask for, unless it is the wished one. */
function dayInWords({ executionDate, movedFrom }: FilePreview, wished: string) {
  const day = formatDate(executionDate!)
  if (movedFrom) return fileWords.moved({ day, wished: formatDate(movedFrom) })
  return wished ? undefined : fileWords.nextPayday({ day })
}

/**
 * Makes a file, then downloads it; one that was made, but not downloaded, is in the books. If it is no longer what is
 * shown, that is read anew.
 */
function useMaking(accountId: string, onMade: (fileId: string) => void) {
  const refresh = useRefresh()
  return useSend(async (body: NewPaymentFile, idempotencyKey) => {
    const call = fetchReply(createPaymentFile, { params: { id: accountId }, body, idempotencyKey })
    const response = await call.catch(async (error: unknown) => {
      if (error instanceof CallError && isOutdated(error)) await refresh()
      throw error
    })
    const leftOut = Number(response.headers.get(LEFT_OUT) ?? 0)
    const made = (await response.json()) as PaymentFile
    await refresh()
    showToast(leftOut > 0 ? fileWords.doneWithout({ count: leftOut }) : fileWords.done({ number: made.number }))
    onMade(made.id)
    await saveDownloaded(made)
  })
}

const saveDownloaded = async (made: PaymentFile) => {
  try {
    const { file, name } = await loadFile(made.id)
    saveFile(file, name ?? fallbackName(made))
  } catch (refusal) {
    if (!(refusal instanceof CallError)) throw refusal
    showToast(refusal.message, { failed: true })
  }
}

/** Loads a payment file, as often as wanted while it is open. */
export const loadFile = (id: string) => downloadFile(downloadPaymentFile, { params: { id } })

export const fallbackName = ({ number, method }: PaymentFile) => `${number}.${method === 'sepa' ? 'xml' : 'csv'}`
