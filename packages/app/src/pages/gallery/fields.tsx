import { IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Checkbox, Input, Select, Switch, TextArea } from '../../ui/input.tsx'
import { ARABIC, LONG, Sample } from './sample.tsx'
import styles from './gallery.module.css'

const states = [
  { value: 'draft', text: 'Draft' },
  { value: 'paid', text: 'Paid' },
] as const

export const Fields = () => (
  <div className={styles['samples']}>
    <Sample title="Normal">
      <Field label="Company" note="As it stands on the invoice.">
        {(control) => <Input {...control} defaultValue="Northwind Traders" />}
      </Field>
    </Sample>
    <Sample title="Empty, required, with icon">
      <Field label="E-mail address" isRequired>
        {(control) => <Input {...control} icon="mail" placeholder="anna@example.com" />}
      </Field>
    </Sample>
    <Sample title="Edited, with aside">
      <Field label="Total" isEdited aside="decimal(12, 2)">
        {(control) => <Input {...control} defaultValue="1,179.44" inputMode="decimal" end="EUR" />}
      </Field>
    </Sample>
    <Sample title="Invalid">
      <Field label="Website" error="An address begins with https://. Add it, or leave the field empty.">
        {(control) => <Input {...control} defaultValue="example" />}
      </Field>
    </Sample>
    <Sample title="Read-only">
      <Field label="Created" note="Set by the database when the row is created.">
        {(control) => <Input {...control} readOnly value="17 November 2026, 09:41" />}
      </Field>
    </Sample>
    <Sample title="Disabled">
      <Field label="Discount">{(control) => <Input {...control} disabled value="0 %" readOnly />}</Field>
    </Sample>
    <Sample title="Long text">
      <Field label={LONG} note={LONG}>
        {(control) => <Input {...control} defaultValue={LONG} />}
      </Field>
    </Sample>
    <Sample title="Right to left">
      <div dir="rtl">
        <Field label="ملاحظة" note={ARABIC} isEdited>
          {(control) => <Input {...control} icon="search" defaultValue={ARABIC} />}
        </Field>
      </div>
    </Sample>
    <Sample title="With a button">
      <Field label="Secret">
        {(control) => (
          <Input
            {...control}
            type="password"
            defaultValue="long secret"
            end={<IconButton icon="eye" label="Show the secret" />}
          />
        )}
      </Field>
    </Sample>
    <Sample title="Text area">
      <Field label="Remarks">
        {(control) => <TextArea {...control} defaultValue="Leave it with the neighbours." />}
      </Field>
    </Sample>
    <Sample title="Text area, invalid">
      <Field label="Address" error="A postcode is missing.">
        {(control) => <TextArea {...control} defaultValue="12 Mill Lane" />}
      </Field>
    </Sample>
    <Sample title="Select">
      <Field label="State">{(control) => <Select {...control} choices={states} defaultValue="paid" />}</Field>
    </Sample>
    <Sample title="Select, disabled">
      <Field label="State of the past">
        {(control) => <Select {...control} choices={states} defaultValue="draft" disabled />}
      </Field>
    </Sample>
    <Sample title="Checkbox: off, on, some, disabled">
      <Checkbox>Newsletter</Checkbox>
      <Checkbox defaultChecked note="Sent by mail">
        Invoices
      </Checkbox>
      <Checkbox
        ref={(box) => {
          if (box !== null) box.indeterminate = true
        }}
      >
        Some fields
      </Checkbox>
      <Checkbox disabled>Not available</Checkbox>
      <Checkbox disabled defaultChecked>
        Always
      </Checkbox>
    </Sample>
    <Sample title="Switch: off, on, disabled">
      <Switch>Hidden</Switch>
      <Switch defaultChecked>Published</Switch>
      <Switch disabled>Locked</Switch>
    </Sample>
  </div>
)
