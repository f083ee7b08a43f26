import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Application, decideApplications } from '#contract/applications.ts'
import { isNotFound } from '../../api.ts'
import { formatShortDateTime } from '../../format.ts'
import { useGroupChoices } from '../../shared/groups.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { Email } from '../../ui/Address.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { Empty } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { applicationWords as words } from '../../words/applications.ts'
import { fieldWords } from '../../words/fields.ts'
import { groupWords } from '../../words/groups.ts'
import styles from './Applications.module.css'
import { Approve, Reject, useDecision } from './decide.tsx'
import { applicantName, canApprove, canReject } from './names.ts'
import { applicationQuery } from './queries.ts'

type Props = { id: string; timeZone: string; onClose: () => void }

/** An application with its answers, and the acts that decide it. */
export function OneApplication({ id, timeZone, onClose }: Props) {
  const answer = useQuery(applicationQuery(id))
  if (answer.data) return <Opened application={answer.data} timeZone={timeZone} onClose={onClose} />
  return (
    <Dialog heading={words.application} onClose={onClose}>
      {isNotFound(answer.error) ? <Empty what={words.gone} /> : <Pending answer={answer} rows={4} />}
    </Dialog>
  )
}

type OpenedProps = Omit<Props, 'id'> & { application: Application }

function Opened({ application, timeZone, onClose }: OpenedProps) {
  const may = usePermission()
  const [asking, setAsking] = useState<'approve' | 'reject'>()
  const groups = useGroupChoices(application.accountId)
  // of a group that takes no one any more, another one is chosen
  const [groupId, setGroupId] = useState(
    application.groupProblem ? null : (application.groupId ?? application.accountId),
  )
  const of = { accountId: application.accountId, applications: [application], onDecided: () => undefined }
  const { call, decide, shown } = useDecision(of, onClose)
  const { partnerId, flags, answers, groupName, groupProblem } = application
  if (shown) return shown
  if (asking === 'reject') return <Reject of={of} onClose={onClose} />
  if (asking === 'approve') return <Approve of={of} onClose={onClose} />
  return (
    <Dialog wide heading={words.from({ name: applicantName(application) })} onClose={onClose} busy={call.busy}>
      {call.error && (
        <Message kind="error" answers={1}>
          {explainRefusal(call.error)}
        </Message>
      )}
      {flags.length > 0 && (
        <Message kind="warning">
          {flags.map((flag) => (
            <p key={flag}>{words.flagWhy[flag]}</p>
          ))}
        </Message>
      )}
      <Facts beside label={words.applicant} facts={factsOf(application, timeZone)} />
      {answers.length === 0 ? (
        application.email !== null && <p className="muted">{words.noAnswers}</p>
      ) : (
        <dl aria-label={words.answers} className={`stack gap-3 ${styles.answers}`}>
          {answers.map(({ label, value }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two questions may have the same label
            <div key={at}>
              <dt className="muted wrap">{label}</dt>
              <dd className={`wrap ${styles.typed}`}>
                {value ? <Answer>{value}</Answer> : <i className="muted">{words.noAnswer}</i>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {canApprove(application) && may(decideApplications) && groups.length > 0 && (
        <SelectField
          id="application-group"
          name="group"
          label={groupWords.label}
          value={groupId ?? ''}
          placeholder={groupWords.choose}
          choices={groups}
          help={groupProblem && words.chooseAnother({ group: groupName ?? '' })}
          onChange={setGroupId}
          onBlur={() => undefined}
        />
      )}
      <DialogActions>
        {canApprove(application) && (
          <Button
            look="primary"
            needs={decideApplications}
            busy={call.busy}
            disabled={groups.length > 0 && !groupId}
            onClick={() => {
              if (groups.length > 0 && groupId) decide({ decision: 'approve', groupId })
              else if (groupProblem) setAsking('approve')
              else decide({ decision: 'approve' })
            }}
          >
            {words.approve}
          </Button>
        )}
        {canReject(application) && (
          <Button look="remove" needs={decideApplications} disabled={call.busy} onClick={() => setAsking('reject')}>
            {words.reject}
          </Button>
        )}
        {partnerId && (
          <LinkButton to="/partners/$partnerId" params={{ partnerId }}>
            {words.viewPartner}
          </LinkButton>
        )}
      </DialogActions>
    </Dialog>
  )
}

/** An answer as it was typed; a web address is a link. */
const Answer = ({ children: value }: { children: string }) =>
  /^https?:\/\/\S+$/.test(value) && URL.canParse(value) ? (
    <a href={value} target="_blank" rel="noopener noreferrer nofollow">
      {value}
    </a>
  ) : (
    value
  )

function factsOf(application: Application, timeZone: string): Fact[] {
  const { email, appliedAt, confirmedAt, decidedAt, decidedBy, status, reason, message } = application
  const at = (instant: string) => formatShortDateTime(instant, timeZone)
  const facts: Fact[] = [
    { label: fieldWords.status, value: <StatusBadge of="application" status={status} /> },
    email !== null && { label: fieldWords.email, value: <Email>{email}</Email> },
    { label: words.applied, value: at(appliedAt) },
    confirmedAt !== null && { label: words.confirmed, value: at(confirmedAt) },
    application.parentPartnerId !== null && { label: words.recruitedBy, value: recruiterOf(application) },
    application.groupName !== null && { label: groupWords.label, value: groupOf(application) },
    application.agreementVersion !== null && {
      label: words.agreement,
      value: words.ticked({ version: application.agreementVersion }),
    },
    decidedAt !== null && {
      label: words.decided,
      value: decidedBy
        ? words.decidedBy({ date: at(decidedAt), name: decidedBy })
        : words.automatically({ date: at(decidedAt) }),
    },
    reason !== null && { label: fieldWords.reason, value: words.reasons[reason] },
    message !== null && { label: words.message, value: <span className={styles.typed}>{message}</span> },
  ]
  return facts.filter((fact) => fact !== false)
}

const groupOf = ({ groupName, groupProblem }: Application): ReactNode => (
  <>
    {groupName}
    {groupProblem && <p className="small warning">{words.groupProblem[groupProblem]}</p>}
  </>
)

function recruiterOf({ parentPartnerId, parentPartnerName, parentProblem }: Application): ReactNode {
  return (
    <>
      <Link to="/partners/$partnerId" params={{ partnerId: parentPartnerId ?? '' }}>
        {parentPartnerName}
      </Link>
      {parentProblem && <p className="small warning">{words.parentProblem[parentProblem]}</p>}
    </>
  )
}
