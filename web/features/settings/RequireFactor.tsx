import { useId } from 'react'
import { type Account, changeAccount, secondFactorScopes } from '#contract/accounts.ts'
import { rights } from '#contract/endpoint.ts'
import { useCall } from '../../calls.ts'
import { OnlyRead } from '../../shared/OnlyRead.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { peopleWords as words } from '../../words/people.ts'
import { showSaved } from './form.tsx'
import styles from './RequireFactor.module.css'

/** The second factor is the owners’ to require (contract/accounts.ts). */
const ofOwners = { allow: rights.own }

const choices = secondFactorScopes.map((value) => ({ value, label: words.factorScopes[value] }))

/** Whom the account requires to have a second factor: saved as soon as it is chosen. */
export function RequireFactor({ account: { id, requireSecondFactor } }: { account: Account }) {
  const field = useId()
  const save = useCall(changeAccount, { onSuccess: showSaved })
  return (
    <Panel heading={words.signIn}>
      <div className={`stack ${styles.body}`}>
        {save.error && (
          <Message kind="error" answers={1}>
            {explainRefusal(save.error)}
          </Message>
        )}
        <OnlyRead needs={ofOwners}>
          <SelectField
            id={field}
            name="requireSecondFactor"
            label={words.factorFor}
            help={words.factorHelp}
            choices={choices}
            value={requireSecondFactor}
            disabled={save.busy}
            onChange={(value) => value && save.mutate({ params: { id }, body: { requireSecondFactor: value } })}
            onBlur={() => undefined}
          />
        </OnlyRead>
      </div>
    </Panel>
  )
}
