import {
  type Account,
  assignAccountOwner,
  disableAccount,
  enableAccount,
  retryOwnerInvitation,
} from '#contract/accounts.ts'
import { useCall } from '../../calls.ts'
import { lazyActions } from '../../ui/late-acts.tsx'
import { toastRefusal } from '../../ui/refusals.ts'
import { showToast } from '../../ui/toasts.ts'
import { adminWords } from '../../words/admin.ts'

/** An administrator's actions on an account. */
export const accountActs = lazyActions(async () => (await import('./AccountDialog.tsx')).accountDialogs, {
  assign: { label: adminWords.assignOwner, needs: assignAccountOwner },
  enable: { label: adminWords.enable, needs: enableAccount, when: ({ disabledAt }) => disabledAt !== null },
  disable: {
    label: adminWords.disable,
    needs: disableAccount,
    when: ({ disabledAt }) => disabledAt === null,
    danger: true,
  },
})

/** Sends the invitation of an account's owner again. */
export function useResend() {
  const { mutate, busy } = useCall(retryOwnerInvitation, {
    onSuccess: ({ url, mailed }) => showToast(url ? adminWords.newLink : mailed ? adminWords.resent : adminWords.kept),
    onError: toastRefusal,
  })
  return { busy, resend: ({ id }: Account) => mutate({ params: { id } }) }
}
