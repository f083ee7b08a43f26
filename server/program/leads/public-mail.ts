/**
 * Domains with public mailboxes: two people there need not share a company. The largest of each region; a missing one
 * costs only a needless warning, which does not justify depending on a list of thousands.
 */
const PUBLIC = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk hotmail.fr hotmail.de hotmail.it hotmail.es live.com
  live.co.uk live.fr live.nl msn.com outlook.fr outlook.de outlook.es outlook.com.br yahoo.com ymail.com rocketmail.com
  yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.com.br yahoo.com.au yahoo.co.in yahoo.co.jp aol.com
  aim.com icloud.com me.com mac.com proton.me protonmail.com pm.me tutanota.com tuta.com fastmail.com hey.com zoho.com
  mail.com email.com gmx.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de posteo.de mailbox.org
  orange.fr free.fr sfr.fr laposte.net wanadoo.fr libero.it virgilio.it tin.it terra.com.br uol.com.br bol.com.br
  comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net optonline.net shaw.ca rogers.com
  btinternet.com sky.com talktalk.net virginmedia.com bigpond.com optusnet.com.au ziggo.nl kpnmail.nl planet.nl
  telenet.be skynet.be bluewin.ch seznam.cz wp.pl o2.pl onet.pl interia.pl mail.ru bk.ru inbox.ru list.ru yandex.ru
  yandex.com rambler.ru ukr.net qq.com 163.com 126.com yeah.net sina.com foxmail.com naver.com daum.net hanmail.net
  rediffmail.com docomo.ne.jp ezweb.ne.jp softbank.ne.jp`.split(/\s+/),
)

/** Returns the domain of an e-mail if it identifies a company, else null. */
export function companyDomain(email: string): string | null {
  const [, domain] = /^[^@\s]+@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/.exec(email.trim().toLowerCase()) ?? []
  return domain && !PUBLIC.has(domain) ? domain : null
}
