import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/feedback.tsx'
import { Avatar, Chip } from '../../ui/chip.tsx'
import { Crumbs } from '../../ui/page-body.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { ARABIC, LONG, Sample } from './sample.tsx'
import styles from './gallery.module.css'

const states = [
  'draft',
  'open',
  'pending',
  'paid',
  'packed',
  'shipped',
  'delivered',
  'returned',
  'cancelled',
  'archived',
  'web',
  'phone',
  'store',
  'marketplace',
]
const people = [
  'Grace Hopper',
  'Edsger Dijkstra',
  'Barbara Liskov',
  'alan@example.com',
  'Радья Перлман',
  'محمد الخوارزمي',
]

export const Values = () => (
  <div className={styles['samples']}>
    <Sample title="Chips" isWide>
      {states.map((state) => (
        <Chip key={state} value={state} />
      ))}
    </Sample>
    <Sample title="Chip, long text and right to left">
      <Chip value={LONG.slice(0, 28)} />
      <span dir="rtl">
        <Chip value={ARABIC} />
      </span>
    </Sample>
    <Sample title="Avatars">
      {people.map((name) => (
        <Avatar key={name} name={name} size={28} />
      ))}
      <Avatar name="Grace Hopper" size={18} />
      <Avatar name="Grace Hopper" size={36} />
    </Sample>
    <Sample title="Badges">
      <Badge>new</Badge>
      <Badge tone="good">active</Badge>
      <Badge tone="warn">invited</Badge>
      <Badge tone="danger">suspended</Badge>
    </Sample>
    <Sample title="Moments">
      <When at={new Date(Date.now() - 180_000).toISOString()} />
      <When at="2026-03-01T09:41:00Z" />
      <When at="2026-03-01T09:41:00Z" isExact />
    </Sample>
    <Sample title="Table" isWide>
      <Table label="Last orders" heads={['Number', 'Customer', 'Total']}>
        <tr>
          <td>SO-1099994</td>
          <td>Grace Hopper</td>
          <td>1,179.44</td>
        </tr>
        <tr>
          <td>SO-1099993</td>
          <td dir="auto">{ARABIC}</td>
          <td>52.15</td>
        </tr>
      </Table>
    </Sample>
    <Sample title="QR code">
      <QrCode
        text="otpauth://totp/Tain:anna%40example.com?secret=JBSWY3DPEHPK3PXP"
        label="QR code of a sample"
        size={148}
      />
    </Sample>
    {/* Last: it has the heading of a page, after which a section begins. */}
    <Sample title="Head of a page" isWide>
      <PageHead
        icon="table-2"
        title="Orders"
        note="Customer orders from all channels"
        crumbs={<Crumbs to={[{ label: 'Content', path: '/' }]} />}
        actions={<Button kind="solid">New</Button>}
      />
    </Sample>
  </div>
)
