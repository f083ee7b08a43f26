import { Button } from '../../ui/Button.tsx'
import { Dialog, DialogActions } from '../../ui/Dialog.tsx'
import { SecretField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'
import styles from './OutgoingWebhooks.module.css'

type Props = { secret: string; why: string; onClose: () => void }

/** The one time a secret is shown. */
export const SecretDialog = ({ secret, why, onClose }: Props) => (
  <Dialog heading={t('outgoingWebhooks.secret.heading')} onClose={onClose}>
    <div className={styles.secret}>
      <p>{why}</p>
      <SecretField label={t('outgoingWebhooks.secret.label')} value={secret} help={t('outgoingWebhooks.secret.once')} />
    </div>
    <DialogActions>
      <Button look="primary" onClick={onClose}>
        {t('outgoingWebhooks.secret.done')}
      </Button>
    </DialogActions>
  </Dialog>
)
