import { t } from '../../words.ts'
import { EVENTS } from './trouble.ts'

/** Returns a queue's label; a queue of an earlier release keeps its technical name. */
export const queueName = (name: string): string =>
  name === EVENTS ? t('system.events') : t(`system.queueNames.${name as 'mail'}`, { defaultValue: name })
