/** Explains permissions: each with the grants that it comes from. */
import { permissionIds, type RoleType } from '@drawbridge/contract/permissions';
import { t } from '../../texts/index.ts';
import { Dialog, openDialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { HeldPermission } from '../team-data.ts';
import { groupByReasons, permissionText } from './permission-texts.ts';

const texts = t.team.why;

interface ReasonsProps {
  held: readonly HeldPermission[];
  type: RoleType;
  owner: boolean;
  /** The name of the device, if the permissions are on a device. */
  where?: string;
}

/** The permissions that the person has, with their reasons. */
export const PermissionReasons = ({ held, type, owner, where = '' }: ReasonsProps) => (
  <div class="held">
    {groupByReasons(held, type, { device: where, owner }).map(({ reasons, permissions }) => (
      <div key={reasons.join()} class="held-part">
        <ul class="rights">
          {permissions.map((permission) => (
            <li key={permission}>
              <Icon name="check" />
              <p>{permissionText(permission, type)}</p>
            </li>
          ))}
        </ul>
        <ul class="reasons">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </div>
    ))}
  </div>
);

/** The permissions that the person lacks. */
const MissingPermissions = ({ held, type }: Pick<ReasonsProps, 'held' | 'type'>) => {
  const missing = permissionIds(type).filter((each) => !held.some(({ permission }) => permission === each));
  if (missing.length === 0) return null;
  return (
    <>
      <h3>{texts.mayNot}</h3>
      <ul class="rights missing">
        {missing.map((permission) => (
          <li key={permission}>
            <Icon name="end" />
            <p>{permissionText(permission, type)}</p>
          </li>
        ))}
      </ul>
    </>
  );
};

interface ReasonsDialogOptions extends ReasonsProps {
  whom: string;
  where: string;
}

export const openReasonsDialog = ({ whom, ...reasons }: ReasonsDialogOptions): Promise<void> =>
  openDialog((close) => (
    <Dialog title={texts.title(whom, reasons.where)} onClose={close} wide>
      {reasons.held.length > 0 && <h3>{texts.may}</h3>}
      <PermissionReasons {...reasons} />
      <MissingPermissions {...reasons} />
    </Dialog>
  ));
