import { useState } from 'react'
import {
  type Application,
  ApplicationDecisions,
  type DecidedApplication,
  decideApplications,
  type RejectionReason,
  rejectionReasons,
} from '#contract/applications.ts'
import { formatTag } from '#contract/language.ts'
import { useCall } from '../../calls.ts'
import { useGroupChoices } from '../../shared/groups.ts'
import type { ActProps } from '../../ui/actions.tsx'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { useContractForm } from '../../ui/contract-form.tsx'
import { Confirm, Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { CheckboxField, SelectField, TextAreaField } from '../../ui/fields.tsx'
import { Message } from '../../ui/Message.tsx'
import { Name } from '../../ui/Name.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { showToast } from '../../ui/toasts.ts'
import { applicationWords as words } from '../../words/applications.ts'
import { basicWords } from '../../words/basic.ts'
import { groupWords } from '../../words/groups.ts'
import { dialogWords } from '../../words/pieces.ts'
import styles from './Applications.module.css'
import { applicantName } from './names.ts'

export type ToDecide = {
  accountId: string
  applications: readonly Application[]
  /** Called once the server has responded, whatever the results. */
  onDecided: () => void
}

type Decision = Omit<ApplicationDecisions, 'ids' | 'silent'> & { silent?: boolean }

/**
 * Decides applications together, each with its own result. `shown` replaces the dialog if a toast is not enough: for
 * refused ones, and for invitation links that no mail server sends.
 */
export function useDecision({ accountId, applications, onDecided }: ToDecide, onClose: () => void) {
  const [results, setResults] = useState<DecidedApplication[] | null>(null)
  const call = useCall(decideApplications, {
    onSuccess({ results }, { body: { decision } }) {
      onDecided()
      const count = results.filter(({ error }) => !error).length
      if (count > 0) showToast(decision === 'approve' ? words.approved({ count }) : words.rejected({ count }))
      if (results.some(({ error, invitationUrl }) => error || invitationUrl)) setResults(results)
      else onClose()
    },
  })
  const decide = (decision: Decision) =>
    call.mutate({ params: { id: accountId }, body: { ...decision, ids: applications.map(({ id }) => id) } })
  return {
    call,
    decide,
    shown: results && <Results applications={applications} results={results} onClose={onClose} />,
  }
}

type ResultsProps = {
  applications: readonly Application[]
  results: readonly DecidedApplication[]
  onClose: () => void
}

function Results({ applications, results, onClose }: ResultsProps) {
  const refused = results.filter(({ error }) => error)
  const links = results.filter(({ invitationUrl }) => invitationUrl)
  const nameAt = (id: string | null) => {
    const found = applications.find((application) => application.id === id)
    return found ? applicantName(found) : basicWords.absent
  }
  return (
    <Dialog
      wide="table"
      heading={
        refused.length > 0 ? words.notDecided({ count: refused.length }) : words.approved({ count: results.length })
      }
      onClose={onClose}
    >
      {links.length > 0 && <Message kind="info">{words.passOn}</Message>}
      <PlainTable
        label={words.tab}
        rows={[...refused, ...links]}
        keyOf={({ id }) => id ?? ''}
        columns={[
          { head: words.applicant, cell: ({ id }) => <Name>{nameAt(id)}</Name> },
          {
            head: words.result,
            under: true,
            cell: ({ id, error, invitationUrl: url }) =>
              url ? (
                <span className={`row no-wrap ${styles.link}`}>
                  <code className="ellipsis">{url}</code>
                  <CopyButton small value={url} label={basicWords.actions.copyLink({ name: nameAt(id) })} />
                </span>
              ) : (
                error?.message
              ),
          },
        ]}
      />
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {dialogWords.done}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Asks before applications become partners, and for the group of a single one. */
export function Approve({ of, onClose }: ActProps<ToDecide>) {
  const { accountId, applications } = of
  const { call, decide, shown } = useDecision(of, onClose)
  const groups = useGroupChoices(accountId)
  const count = applications.length
  const [first] = applications
  const form = useContractForm(ApplicationDecisions.required({ groupId: true }), {
    initial: {
      ids: applications.map(({ id }) => id),
      decision: 'approve' as const,
      groupId: first && !first.groupProblem ? (first.groupId ?? accountId) : '',
    },
  })
  if (shown) return shown
  const gone = count === 1 && first?.groupProblem ? first.groupName : null
  const why = (
    <div className="stack gap-2">
      <Names of={applications} />
      <p>{words.approveWhy({ count })}</p>
    </div>
  )
  const heading = words.approveHeading({ count })
  if (count > 1 || groups.length === 0)
    return (
      <Confirm
        heading={heading}
        confirm={words.approve}
        call={call}
        onConfirm={() => decide({ decision: 'approve', ...(gone && { groupId: accountId }) })}
        onClose={onClose}
      >
        {why}
        {gone && <p>{words.toDefault({ group: gone })}</p>}
      </Confirm>
    )
  return (
    <FormDialog
      heading={heading}
      submit={words.approve}
      why={why}
      form={form}
      save={call}
      onSubmit={({ groupId }) => decide({ decision: 'approve', groupId })}
      onClose={onClose}
    >
      <SelectField
        {...form.field('groupId', groupWords.label)}
        placeholder={groupWords.choose}
        choices={groups}
        help={gone && words.chooseAnother({ group: gone })}
      />
    </FormDialog>
  )
}

const NAMED = 5

/** The applicants by name, unless there are many: the heading counts them. */
const Names = ({ of }: { of: readonly Application[] }) =>
  of.length <= NAMED && (
    <p className="strong">{new Intl.ListFormat(formatTag(), { type: 'unit' }).format(of.map(applicantName))}</p>
  )

/** Asks for the reason, and for words to the applicants. */
export function Reject({ of, onClose }: ActProps<ToDecide>) {
  const { call, decide, shown } = useDecision(of, onClose)
  const form = useContractForm(ApplicationDecisions, {
    initial: {
      ids: of.applications.map(({ id }) => id),
      decision: 'reject' as const,
      reason: null as RejectionReason | null,
      message: '',
      silent: false,
    },
  })
  const { silent } = form.values
  if (shown) return shown
  return (
    <FormDialog
      heading={words.rejectHeading({ count: of.applications.length })}
      submit={words.reject}
      why={<Names of={of.applications} />}
      danger
      form={form}
      save={call}
      onSubmit={({ ids: _, message, ...body }) => decide({ ...body, ...(!body.silent && { message }) })}
      onClose={onClose}
    >
      <SelectField
        {...form.field('reason')}
        placeholder={words.chooseReason}
        choices={rejectionReasons.map((value) => ({ value, label: words.reasons[value] }))}
      />
      {!silent && <TextAreaField {...form.field('message', words.message)} optional help={words.messageHelp} />}
      <CheckboxField {...form.field('silent', words.silent)} />
    </FormDialog>
  )
}

export const decisions = { approve: Approve, reject: Reject }
