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
import { act } from '../../ui/act.tsx'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Message } from '../../ui/Message.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { type Act, useActs } from '../../ui/useActs.tsx'
import { signInWords as words } from '../../words/sign-in-ways.ts'
import styles from './Profile.module.css'
import { secondFactor } from './queries.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'

const AddApp = lazyPart(async () => (await import('./AddFactor.tsx')).AddApp)
const AddPasskey = lazyPart(async () => (await import('./AddFactor.tsx')).AddPasskey)

/** The profile warns at this number of recovery codes or fewer. */
const FEW = 2

/** The authenticator app, passkeys and recovery codes beside the password. */
export function SignInWays() {
  const answer = useQuery(secondFactor)
  const { start, dialog } = useActs()
  const isMissing = useMe().secondFactor === 'missing'
  return (
    <>
      <PendingPanel heading={words.heading} answer={answer} rows={4}>
        {(factors) => (
          <div className={`stack ${styles.ways}`}>
            {isMissing && <Missing {...factors} />}
            <App {...factors} start={start} />
            <Passkeys {...factors} start={start} />
            {(factors.totp || factors.passkeys.length > 0) && <Codes {...factors} start={start} />}
          </div>
        )}
      </PendingPanel>
      {dialog}
    </>
  )
}

const Missing = ({ requiredBy }: SecondFactor) => (
  <Message kind="warning">
    <strong>{words.required}</strong> {words.requiredWhy({ names: requiredBy.join(', ') })}
  </Message>
)

type Way = SecondFactor & { start: <T>(action: Act<T>, of: NoInfer<T>) => void }

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

const App = ({ totp, start }: Way) => (
  <Row
    heading={words.app}
    why={totp ? words.appOn({ date: formatDateAt(totp.createdAt, timeZoneHere()) }) : words.appWhy}
    action={
      totp ? (
        <Button small aria-label={words.removeApp} onClick={() => start(RemoveApp, {})}>
          {words.remove}
        </Button>
      ) : (
        <Button small onClick={() => start(AddApp, {})}>
          {words.setUp}
        </Button>
      )
    }
  />
)

const Passkeys = ({ passkeys, start }: Way) => (
  <Row
    heading={words.passkeys}
    why={hasPasskeys() ? words.passkeysWhy : words.noPasskeys}
    action={
      hasPasskeys() && (
        <Button small onClick={() => start(AddPasskey, {})}>
          {words.addPasskey}
        </Button>
      )
    }
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
            <Button
              small
              aria-label={words.removePasskey({ name: passkey.name })}
              onClick={() => start(RemovePasskey, passkey)}
            >
              {words.remove}
            </Button>
          </li>
        ))}
      </ul>
    )}
  </Row>
)

const Codes = ({ recoveryCodesLeft: count, start }: Way) => (
  <Row
    heading={words.recoveryCodes}
    why={`${words.recoveryWhy} ${words.left({ count })}.`}
    action={
      <Button small onClick={() => start(NewCodes, {})}>
        {words.showNew}
      </Button>
    }
  >
    {count <= FEW && <Message kind="warning">{count === 0 ? words.none : words.few({ count })}</Message>}
  </Row>
)

const RemoveApp = act(removeTotp, (_: object) => ({
  heading: words.removeApp,
  submit: words.remove,
  why: words.removeWhy,
  danger: true,
  done: words.appRemoved,
  send: {},
}))

const RemovePasskey = act(removePasskey, ({ id, name }: Passkey) => ({
  heading: words.removePasskey({ name }),
  submit: words.remove,
  why: words.removeWhy,
  danger: true,
  done: words.passkeyRemoved,
  send: { params: { id } },
}))

const NewCodes = act(renewRecoveryCodes, (_: object) => ({
  heading: words.showNew,
  why: words.newWhy,
  done: words.renewed,
  send: {},
  shows: ({ recoveryCodes }, { onClose }) => <RecoveryCodes codes={recoveryCodes} onClose={onClose} />,
}))
