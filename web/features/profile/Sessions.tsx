import { useQuery } from '@tanstack/react-query'
import { endOtherSessions, endSession, type UserSession } from '#contract/auth.ts'
import { useCall } from '../../calls.ts'
import { formatAgo, timeZoneHere } from '../../format.ts'
import { defineAction } from '../../ui/act.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { Button } from '../../ui/Button.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { showToast } from '../../ui/toasts.ts'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { profileWords } from '../../words/profile.ts'
import { signInWords } from '../../words/sign-in-methods.ts'
import { detectDevice } from './device.ts'
import styles from './Profile.module.css'
import { sessionsQuery } from './queries.ts'

/** The user's sessions; each can be ended, or all but this one at once. */
export function Sessions() {
  const answer = useQuery(sessionsQuery)
  const heading = profileWords.sessions
  const end = useCall(endSession, { onSuccess: () => showToast(profileWords.ended) })
  return (
    <PendingPanel
      heading={heading}
      answer={answer}
      rows={3}
      aside={({ items }) => items.length > 1 && <ActButton small act={EndOthers} of={{}} />}
    >
      {({ items }) => (
        <>
          {end.error && (
            <div className={styles.inset}>
              <Message kind="error">{explainRefusal(end.error)}</Message>
            </div>
          )}
          <PlainTable
            label={heading}
            rows={[...items].sort((one, other) => Number(other.current) - Number(one.current))}
            columns={[
              { head: profileWords.device, cell: deviceCell },
              { head: fieldWords.address, wideOnly: true, cell: ({ address }) => address ?? basicWords.absent },
              { head: signInWords.method, wideOnly: true, cell: ({ method }) => signInWords.methods[method] },
              { head: profileWords.lastUsed, cell: lastUsed },
              {
                head: profileWords.action,
                headHidden: true,
                numeric: true,
                cell: (session) =>
                  !session.current && (
                    <Button
                      small
                      disabled={end.busy}
                      aria-label={profileWords.endNamed({ device: nameOf(session) })}
                      onClick={() => end.mutate({ params: { id: session.id } })}
                    >
                      {profileWords.end}
                    </Button>
                  ),
              },
            ]}
          />
        </>
      )}
    </PendingPanel>
  )
}

const EndOthers = exposeAction(
  defineAction(endOtherSessions, (_: object) => ({
    heading: profileWords.endOthers,
    why: profileWords.endOthersWhy,
    done: profileWords.othersEnded,
    send: {},
  })),
  { label: profileWords.endOthers },
)

function nameOf({ userAgent }: UserSession) {
  const { browser, system } = detectDevice(userAgent)
  if (browser && system) return profileWords.deviceOn({ browser, system })
  return browser ?? system ?? profileWords.unknownDevice
}

const deviceCell = (session: UserSession) => (
  <>
    <p className="wrap">{nameOf(session)}</p>
    {session.current && <p className={`muted small ${styles.note}`}>{profileWords.current}</p>}
  </>
)

const lastUsed = ({ lastUsedAt }: UserSession) => <span className="muted">{formatAgo(lastUsedAt, timeZoneHere())}</span>
