'use client';
import { Dialog } from '@/components/ui/dialog';
import { useDisplay } from '@/components/ui/display';
import { KEY_GROUPS, type KeyLine } from './keys.model';

export function KeysDialog({
  open,
  onClose,
  groups = KEY_GROUPS,
}: {
  open: boolean;
  onClose: () => void;
  groups?: readonly { title: string; lines: readonly KeyLine[] }[];
}) {
  const { letter_keys, change } = useDisplay();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Keys"
      width={620}
      footer={
        <label className="keys-off">
          <input
            type="checkbox"
            className="check"
            checked={letter_keys}
            onChange={(event) => change({ letter_keys: event.target.checked })}
          />
          Single letters act; without this only Esc, Enter, ? and Ctrl K do
        </label>
      }
    >
      <div className="keys">
        {groups.map(({ title, lines }) => (
          <section key={title}>
            <h3 className="cap">{title}</h3>
            <dl>
              {lines.map(({ keys, does }) => (
                <div key={does}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
