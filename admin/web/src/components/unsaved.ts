import { onBeforeUnmount, onMounted } from 'vue'
import { useI18n } from 'vue-i18n'
import { onBeforeRouteLeave } from 'vue-router'

/**
 * Asks before changes are lost that are not saved, when the page is left or the window closed.
 *
 * @returns asks the same for another way to lose them; true if there are none, or they may be lost
 */
export function useUnsaved(areThere: () => boolean): () => boolean {
  const { t } = useI18n()
  const mayBeLost = () => !areThere() || window.confirm(t('config.leave'))
  onBeforeRouteLeave(mayBeLost)
  function beforeUnload(event: BeforeUnloadEvent) {
    if (areThere()) {
      event.preventDefault()
    }
  }
  onMounted(() => window.addEventListener('beforeunload', beforeUnload))
  onBeforeUnmount(() => window.removeEventListener('beforeunload', beforeUnload))
  return mayBeLost
}
