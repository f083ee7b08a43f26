import { type Account, assignAccountOwner, disableAccount, enableAccount, NewOwner } from '#contract/accounts.ts'
import { TextField } from '../../ui/fields.tsx'
import { defineFormAction, reasonedAct } from '../../ui/form-act.tsx'
import { Message } from '../../ui/Message.tsx'
import { adminWords } from '../../words/admin.ts'
import { accountName, rememberAdministrator } from './names.ts'

/** Assigns the account's owner and invites them; the previous owner keeps the role until the invitation is accepted. */
const AssignOwner = defineFormAction(assignAccountOwner, NewOwner, ({ id, owner, ownerInvitation }: Account) => {
  const present = ownerInvitation ? ownerInvitation.presentOwner : owner?.email
  return {
    heading: adminWords.assignOwner,
    why: adminWords.assignWhy,
    done: adminWords.assigned,
    initial: { email: '', firstName: '', lastName: '' },
    send(body) {
      rememberAdministrator()
      return { params: { id }, body }
    },
    fields: ({ field, values }) => (
      <>
        {present && (
          <Message kind="info">{adminWords.staysOwner({ former: present, email: values.email.trim() })}</Message>
        )}
        <TextField {...field('email', adminWords.ownerEmail)} type="email" autoComplete="off" />
        <TextField {...field('firstName', adminWords.ownerFirstName)} autoComplete="off" optional />
        <TextField {...field('lastName', adminWords.ownerLastName)} autoComplete="off" optional />
      </>
    ),
  }
})

const Disable = reasonedAct(disableAccount, (account: Account) => ({
  heading: adminWords.disable,
  done: adminWords.disabled({ name: accountName(account) }),
  why: adminWords.disableWhy({ name: accountName(account) }),
}))

const Enable = reasonedAct(
  enableAccount,
  (account: Account) => ({
    heading: adminWords.enable,
    done: adminWords.enabled({ name: accountName(account) }),
    why: adminWords.enableWhy({ name: accountName(account) }),
  }),
  { optional: true },
)

export const accountDialogs = { assign: AssignOwner, disable: Disable, enable: Enable }
