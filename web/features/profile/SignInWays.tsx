import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  type Passkey,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  type SecondFactor,
} from '#contract/second-factor.ts'
import { formatAgo, formatDateAt, timeZoneHere } from '../../format.ts'
import { hasPasskeys } from '../../shared/has-passkeys.ts'
import { useMe } from '../../shell/current.ts'
import { defineAction } from '../../ui/act.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { lateAct } from '../../ui/late-acts.tsx'
import { Message } from '../../ui/Message.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { signInWords as words } from '../../words/sign-in-methods.ts'
import styles from './Profile.module.css'
import { secondFactorQuery } from './queries.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'

const addFactor = () => import('./AddFactor.tsx')
const AddApp = lateAct(async () => (await addFactor()).AddApp, { label: words.setUp })
const AddPasskey = lateAct(async () => (await addFactor()).AddPasskey, { label: words.addPasskey })

/** The profile warns at this number of recovery codes or fewer. */
const FEW = 2

/** The authenticator app, passkeys and recovery codes beside the password. */
export function SignInWays() {
  const answer = useQuery(secondFactorQuery)
  const isMissing = useMe().secondFactor === 'missing'
  return (
    <PendingPanel heading={words.heading} answer={answer} rows={4}>
      {(factors) => (
        <div className={`stack ${styles.ways}`}>
          {isMissing && <Missing {...factors} />}
          <App {...factors} />
          <Passkeys {...factors} />
          {(factors.totp || factors.passkeys.length > 0) && <Codes {...factors} />}
        </div>
      )}
    </PendingPanel>
  )
}

const Missing = ({ requiredBy }: SecondFactor) => (
  <Message kind="warning">
    <strong>{words.required}</strong> {words.requiredWhy({ names: requiredBy.join(', ') })}
  </Message>
)

type RowProps = { heading: string; why: string; action: ReactNode; children?: ReactNode }

/** One way to sign in, with its purpose and action. */
const Row = ({ heading, why, action, children }: RowProps) => (
  <section aria-label={heading} className="stack gap-2">
    <div className="row between">
      <h3 className="strong">{heading}</h3>
      {action}
    </div>
    <p className="muted">{why}</p>
    {children}
  </section>
)

const App = ({ totp }: SecondFactor) => (
  <Row
    heading={words.app}
    why={totp ? words.appOn({ date: formatDateAt(totp.createdAt, timeZoneHere()) }) : words.appWhy}
    action={
      totp ? (
        <ActButton small aria-label={words.removeApp} act={RemoveApp} of={{}} />
      ) : (
        <ActButton small act={AddApp} of={{}} />
      )
    }
  />
)

const Passkeys = ({ passkeys }: SecondFactor) => (
  <Row
    heading={words.passkeys}
    why={hasPasskeys() ? words.passkeysWhy : words.noPasskeys}
    action={hasPasskeys() && <ActButton small act={AddPasskey} of={{}} />}
  >
    {passkeys.length > 0 && (
      <ul className="stack gap-2">
        {passkeys.map((passkey) => (
          <li key={passkey.id} className="row between">
            <span className="wrap">
              {passkey.name}{' '}
              <span className="muted small">
                {passkey.lastUsedAt
                  ? words.lastUsed({ ago: formatAgo(passkey.lastUsedAt, timeZoneHere()) })
                  : words.neverUsed}
              </span>
            </span>
            <ActButton
              small
              aria-label={words.removePasskey({ name: passkey.name })}
              act={RemovePasskey}
              of={passkey}
            />
          </li>
        ))}
      </ul>
    )}
  </Row>
)

const Codes = ({ recoveryCodesLeft: count }: SecondFactor) => (
  <Row
    heading={words.recoveryCodes}
    why={`${words.recoveryWhy} ${words.left({ count })}.`}
    action={<ActButton small act={NewCodes} of={{}} />}
  >
    {count <= FEW && <Message kind="warning">{count === 0 ? words.none : words.few({ count })}</Message>}
  </Row>
)

const RemoveApp = exposeAction(
  defineAction(removeTotp, (_: object) => ({
    heading: words.removeApp,
    submit: words.remove,
    why: words.removeWhy,
    done: words.appRemoved,
    send: {},
  })),
  { label: words.remove, danger: true },
)

const RemovePasskey = exposeAction(
  defineAction(removePasskey, ({ id, name }: Passkey) => ({
    heading: words.removePasskey({ name }),
    submit: words.remove,
    why: words.removeWhy,
    done: words.passkeyRemoved,
    send: { params: { id } },
  })),
  { label: words.remove, danger: true },
)

const NewCodes = exposeAction(
  defineAction(renewRecoveryCodes, (_: object) => ({
    heading: words.showNew,
    why: words.newWhy,
    done: words.renewed,
    send: {},
    shows: ({ recoveryCodes }, { onClose }) => <RecoveryCodes codes={recoveryCodes} onClose={onClose} />,
  })),
  { label: words.showNew },
)
