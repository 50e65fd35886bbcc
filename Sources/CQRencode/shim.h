#pragma once
#if __has_include(<qrencode.h>)
#include <qrencode.h>
#endif
