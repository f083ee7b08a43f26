import { t } from '../../words.ts'
import { EVENTS } from './trouble.ts'

/** What a queue is called; one of an earlier release as it is named. */
export const queueName = (name: string): string =>
  name === EVENTS ? t('system.events') : t(`system.queueNames.${name as 'mail'}`, { defaultValue: name })
