import { feature } from '#server/feature.ts'
import { announcement } from '../mail/announcement.ts'

export const announcements = feature({ mails: { announcement } })
