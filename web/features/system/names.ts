import { fieldWords } from '../../words/fields.ts'
import { systemWords } from '../../words/system.ts'
import { EVENTS } from './trouble.ts'

/** Returns a queue's label; a queue of an earlier release keeps its technical name. */
export const queueName = (name: string): string =>
  name === EVENTS ? fieldWords.events : systemWords.queueNames[name as 'mail']
