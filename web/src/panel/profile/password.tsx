/** The profile section that sets or changes the password. */
import { loadCurrentUser, signedInUser } from '../current-user.ts';
import { NewPassword } from '../sign-in/new-password.tsx';
import { t } from '../texts/index.ts';
import { TextButton } from '../ui/button.tsx';
import { Dialog, openDialog } from '../ui/dialog.tsx';
import { Section } from '../ui/layout.tsx';
import { showNotice } from '../ui/notices.ts';

const texts = t.profile.password;

export function PasswordSection() {
  const { has_password, password_from_directory } = signedInUser.value;
  if (password_from_directory)
    return (
      <Section title={texts.title}>
        <p class="quiet">{texts.fromDirectory}</p>
      </Section>
    );
  const title = has_password ? texts.change : texts.choose;
  return (
    <Section
      title={texts.title}
      actions={<TextButton onClick={() => openPasswordDialog(title)}>{title}</TextButton>}
    >
      <p class="quiet">{has_password ? texts.set : texts.unset}</p>
    </Section>
  );
}

function openPasswordDialog(title: string): void {
  const set = (close: () => void) => (): void => {
    close();
    showNotice(texts.changed);
    void loadCurrentUser();
  };
  void openDialog((close) => (
    <Dialog title={title} onClose={close}>
      <p class="quiet">{texts.ends}</p>
      <NewPassword email={signedInUser.value.email} onSet={set(close)} />
    </Dialog>
  ));
}
